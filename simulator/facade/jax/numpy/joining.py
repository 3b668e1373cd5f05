"""``jax.numpy`` functions that join or cut arrays.

JAX source: ``jax/_src/numpy/lax_numpy.py: concatenate, stack, vstack, hstack,
split, append, pad …``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from simulator.api import jit
from simulator.batching.vmapping import vmap
from simulator.facade.jax.lax import base, reducing, shapes
from simulator.facade.jax.numpy.constructors import asarray
from simulator.facade.jax.numpy.reshaping import (
    atleast_1d,
    atleast_2d,
    atleast_3d,
    expand_dims,
    ravel,
)
from simulator.facade.jax.numpy.util import (
    check_arraylike,
    ensure_array,
    ensure_arrays,
    promote_dtypes,
)
from simulator.ndarrays.ndarray import NDArray
from simulator.types.scalar_types import int64

_ARRAYS = (NDArray, *base.ARRAYS)


def _blocks(xs):
    # The joined array, and along which axis from the last the lists around it join.
    if isinstance(xs, tuple):
        raise ValueError(f"jax.numpy.block does not allow tuples, got {xs}")
    if not isinstance(xs, list):
        return asarray(xs), 1
    if not xs:
        raise ValueError("jax.numpy.block does not allow empty list arguments")
    parts, depths = zip(*map(_blocks, xs))
    if any(d != depths[0] for d in depths):
        raise ValueError("Mismatched list depths in jax.numpy.block")
    rank = max(depths[0], *(p.ndim for p in parts))
    parts = [shapes.broadcast(p, (1,) * (rank - p.ndim)) if p.ndim < rank else asarray(p)
             for p in parts]
    return concatenate(parts, axis=-depths[0]), depths[0] + 1


@jit
def block(arrays):
    """``jax.numpy.block``."""
    return _blocks(arrays)[0]


def stack(arrays, axis=0, out=None, dtype=None):
    """``jax.numpy.stack``."""
    if not len(arrays):
        raise ValueError("Need at least one array to stack.")
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.stack is not supported.")
    if isinstance(arrays, _ARRAYS):
        axis = base.canonical_axis(axis, arrays.ndim)
        return concatenate(expand_dims(arrays, axis + 1), axis=axis, dtype=dtype)
    arrays = ensure_arrays("stack", *arrays)
    if dtype is not None:
        arrays = [asarray(a, dtype=dtype) for a in arrays]
    else:
        arrays = promote_dtypes(*arrays)
    return reducing.stack(arrays, axis=axis)


@jit(static_argnames="axis", inline=True)
def unstack(x, /, *, axis=0):
    """``jax.numpy.unstack``."""
    return reducing.unstack(ensure_array("unstack", x), axis=axis)


def _concatenate_array(arr: Any, axis: Any, dtype: Any) -> Any:
    # An array counts as the list of its rows.
    arr = asarray(arr, dtype=dtype)
    if arr.ndim == 0 or arr.shape[0] == 0:
        raise ValueError("Need at least one array to concatenate.")
    if axis is None:
        return shapes.reshape(arr, (arr.size,))
    if arr.ndim == 1:
        raise ValueError("Zero-dimensional arrays cannot be concatenated.")
    axis = base.canonical_axis(axis, arr.ndim - 1)
    own = arr.shape
    shape = own[1:axis + 1] + (own[0] * own[axis + 1],) + own[axis + 2:]
    return shapes.reshape(arr, shape, [*range(1, axis + 1), 0, *range(axis + 1, arr.ndim)])


def concatenate(arrays, axis=0, dtype=None):
    """``jax.numpy.concatenate``."""
    if isinstance(arrays, _ARRAYS):
        return _concatenate_array(arrays, axis, dtype)
    arrays = ensure_arrays("concatenate", *arrays)
    if not len(arrays):
        raise ValueError("Need at least one array to concatenate.")
    if axis is None:
        return concatenate([ravel(a) for a in arrays], axis=0, dtype=dtype)
    if arrays[0].ndim == 0:
        raise ValueError("Zero-dimensional arrays cannot be concatenated.")
    axis = base.canonical_axis(axis, arrays[0].ndim)
    if dtype is None:
        joined = promote_dtypes(*arrays)
    else:
        joined = [asarray(a, dtype=dtype) for a in arrays]
    return reducing.concatenate(joined, axis)


def concat(arrays, /, *, axis=0):
    """``jax.numpy.concat``."""
    check_arraylike("concat", *arrays)
    return concatenate(arrays, axis=axis)


def _parts(tup: Any, name: str, raise_rank: Callable) -> Any:
    # The elements of one array are the parts of it.
    if isinstance(tup, _ARRAYS):
        return vmap(raise_rank)(tup)
    check_arraylike(name, *tup)
    return [raise_rank(x) for x in tup]


def vstack(tup, dtype=None):
    """``jax.numpy.vstack``."""
    return concatenate(_parts(tup, "vstack", atleast_2d), axis=0, dtype=dtype)


def hstack(tup, dtype=None):
    """``jax.numpy.hstack``."""
    arrays = _parts(tup, "hstack", atleast_1d)
    ndim = arrays.ndim - 1 if isinstance(tup, _ARRAYS) else arrays[0].ndim
    return concatenate(arrays, axis=0 if ndim == 1 else 1, dtype=dtype)


def dstack(tup, dtype=None):
    """``jax.numpy.dstack``."""
    if not isinstance(tup, _ARRAYS):
        tup = ensure_arrays("dstack", *tup)
    return concatenate(_parts(tup, "dstack", atleast_3d), axis=2, dtype=dtype)


def column_stack(tup):
    """``jax.numpy.column_stack``."""
    if isinstance(tup, _ARRAYS):
        columns = tup if tup.ndim > 2 else vmap(lambda x: atleast_2d(x).T)(tup)
    else:
        check_arraylike("column_stack", *tup)
        columns = [atleast_2d(a).T if a.ndim < 2 else a for a in map(asarray, tup)]
    return concatenate(columns, axis=1)


@jit(static_argnames=("axis",))
def append(arr, values, axis=None):
    """``jax.numpy.append``."""
    if axis is None:
        return concatenate([ravel(arr), ravel(values)], 0)
    return concatenate([arr, values], axis=axis)


def _split(name: str, ary: Any, sections: Any, axis: int = 0) -> list:
    ary = ensure_array(name, ary)
    axis = base.concrete(operator.index, axis, f"in jax.numpy.{name} argument `axis`")
    size = ary.shape[axis]
    listed = isinstance(sections, (tuple, list)) or (isinstance(sections, _ARRAYS)
                                                     and sections.ndim > 0)
    if listed:
        at = [0]
        for section in sections:
            i = base.concrete(operator.index, section, f"in jax.numpy.{name} argument 1")
            i = i + size if i < 0 else i
            at.append(min(max(i, 0), size))
        at.append(size)
        sizes = [b - a for a, b in zip(at, at[1:])]
    else:
        count = base.concrete(int, sections, f"in jax.numpy.{name} argument 1")
        part, rest = divmod(size, count)
        if rest and name != "array_split":
            raise ValueError(f"array split does not result in an equal division: rest is {rest}")
        sizes = [part + 1] * rest + [part] * (count - rest)
    # NumPy integers here, too.
    return list(reducing.split(ary, [int64(n) for n in sizes], axis=axis))


def split(ary, indices_or_sections, axis=0):
    """``jax.numpy.split``."""
    return _split("split", ary, indices_or_sections, axis=axis)


def array_split(ary, indices_or_sections, axis=0):
    """``jax.numpy.array_split``."""
    return _split("array_split", ary, indices_or_sections, axis=axis)


def vsplit(ary, indices_or_sections):
    """``jax.numpy.vsplit``."""
    return _split("vsplit", ary, indices_or_sections, axis=0)


def hsplit(ary, indices_or_sections):
    """``jax.numpy.hsplit``."""
    a = ensure_array("hsplit", ary)
    return _split("hsplit", a, indices_or_sections, axis=0 if a.ndim == 1 else 1)


def dsplit(ary, indices_or_sections):
    """``jax.numpy.dsplit``."""
    return _split("dsplit", ary, indices_or_sections, axis=2)
