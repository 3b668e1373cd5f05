"""``jax.numpy`` objects that are indexed to make arrays: mgrid, ogrid, r_, c_.

JAX source: ``jax/_src/numpy/index_tricks.py``.

Simplified: ``r_`` and ``c_`` take no directives as text.
"""

from __future__ import annotations

from typing import Any

from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base
from simulator.facade.jax.numpy.constructors import array
from simulator.facade.jax.numpy.creation import meshgrid
from simulator.facade.jax.numpy.joining import concatenate, stack
from simulator.facade.jax.numpy.ranges import arange, linspace
from simulator.facade.jax.numpy.reshaping import transpose
from simulator.facade.jax.numpy.util import promote_dtypes
from simulator.jaxprs import applying


def _range(part: slice, name: str) -> Any:
    # a:b:c as `arange`; a:b:5j as five numbers.
    start, stop, step = (
        base.concrete(None, getattr(part, which), f"slice {which} of jnp.{name}") or default
        for which, default in (("start", 0), ("stop", None), ("step", 1)))
    if isinstance(step, complex):
        return linspace(start, stop, int(abs(step)))
    return arange(start, stop or 0, step)


class _Grid:
    # One object for each of the two names.
    def __init__(self, name: str, sparse: bool):
        self.name, self.sparse = name, sparse

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return _range(key, self.name)
        parts = [_range(part, self.name) for part in key]
        with applying.states(jax_numpy_dtype_promotion="standard"):
            parts = promote_dtypes(*parts)
        found = meshgrid(*parts, indexing="ij", sparse=self.sparse)
        if self.sparse:
            return list(found)
        return stack(found, 0) if found else arange(0)


mgrid, ogrid = _Grid("mgrid", False), _Grid("ogrid", True)


class _Joined:
    # What is written one after the other, along the first axis or as columns.
    def __init__(self, name: str, axis: int, ndmin: int, columns: bool):
        self.name, self.axis, self.ndmin, self.columns = name, axis, ndmin, columns

    def __getitem__(self, key: Any) -> Any:
        parts = []
        for item in key if isinstance(key, tuple) else (key,):
            if isinstance(item, str):
                raise OutOfScope(f"jax.numpy.{self.name} with a directive",
                                 "use jnp.concatenate or jnp.stack")
            if isinstance(item, slice):
                made, ndim = _range(item, self.name), 0
            else:
                made = array(item, copy=False)
                ndim = made.ndim
            made = array(made, copy=False, ndmin=self.ndmin)
            if self.columns and ndim < self.ndmin:
                order = list(range(self.ndmin))
                made = transpose(made, (*order[1:], *order[:1]))
            parts.append(made)
        return concatenate(tuple(parts), axis=self.axis)

    def __len__(self) -> int:
        return 0


r_, c_ = _Joined("r_", 0, 1, False), _Joined("c_", -1, 2, True)
