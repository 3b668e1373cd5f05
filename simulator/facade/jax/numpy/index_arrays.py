"""``jax.numpy`` functions that make indices: of triangles, of diagonals, of what is not zero.

JAX source: ``jax/_src/numpy/lax_numpy.py: triu_indices, tril_indices, diag_indices,
argwhere, unravel_index, ix_``.
"""

from __future__ import annotations

import operator
from typing import Any

from simulator.facade.jax.lax import base, shapes
from simulator.facade.jax.numpy import arithmetic
from simulator.facade.jax.numpy.choosing import nonzero, where
from simulator.facade.jax.numpy.constructors import asarray
from simulator.facade.jax.numpy.creation import ones
from simulator.facade.jax.numpy.diagonals import tril, triu
from simulator.facade.jax.numpy.joining import vstack
from simulator.facade.jax.numpy.reshaping import (
    atleast_1d,
    transpose,
)
from simulator.facade.jax.numpy.util import (
    ensure_array,
    ensure_arrays,
)
from simulator.ndarrays.ndarray_index import IndexExpression


def _half(n: int, m: int, k: int) -> int:
    # How many elements lie on and above diagonal k.
    if k < 0:
        return n * m - _half(m, n, 1 - k)
    if k >= m:
        return 0
    rows = min(n, m - k)
    return rows * (rows + 1) // 2 + rows * (m - k - rows)


def _sizes(n: Any, k: Any, m: Any) -> tuple[int, int, int]:
    n, k = (base.concrete(operator.index, v, f"{name} argument of jnp.triu_indices")
            for v, name in ((n, "n"), (k, "k")))
    return n, k, n if m is None else base.concrete(operator.index, m,
                                                   "m argument of jnp.triu_indices")


def triu_indices(n, k=0, m=None):
    """``jax.numpy.triu_indices``."""
    n, k, m = _sizes(n, k, m)
    i, j = nonzero(triu(ones((n, m)), k=k), size=_half(n, m, k))
    return i, j


def tril_indices(n, k=0, m=None):
    """``jax.numpy.tril_indices``."""
    n, k, m = _sizes(n, k, m)
    i, j = nonzero(tril(ones((n, m)), k=k), size=_half(m, n, -k))
    return i, j


def diag_indices(n, ndim=2):
    """``jax.numpy.diag_indices``."""
    n = base.concrete(operator.index, n, "'n' argument of jnp.diag_indices()")
    ndim = base.concrete(operator.index, ndim, "'ndim' argument of jnp.diag_indices()")
    if n < 0:
        raise ValueError(f"n argument to diag_indices must be nonnegative, got {n}")
    if ndim < 0:
        raise ValueError(f"ndim argument to diag_indices must be nonnegative, got {ndim}")
    return (shapes.iota(base.default_int(), n),) * ndim


def argwhere(a, *, size=None, fill_value=None):
    """``jax.numpy.argwhere``."""
    a = ensure_array("argwhere", a)
    result = transpose(vstack(nonzero(atleast_1d(a), size=size, fill_value=fill_value)))
    if a.ndim == 0:
        return result[:0].reshape(result.shape[0], 0)
    return result.reshape(result.shape[0], a.ndim)


def unravel_index(indices, shape):
    """``jax.numpy.unravel_index``."""
    left = ensure_array("unravel_index", indices)
    try:
        sizes = list(shape)
    except TypeError:
        sizes = [shape]
    if any(base.ndim(s) != 0 for s in sizes):
        raise ValueError("unravel_index: shape should be a scalar or 1D sequence.")
    found: list = [0] * len(sizes)
    for i, s in reversed(list(enumerate(sizes))):
        left, found[i] = arithmetic.divmod(left, s)
    above = left > 0
    below = asarray(False) if left.dtype.family == "u" else left < -1
    return tuple(where(above, s - 1, where(below, 0, i)) for s, i in zip(sizes, found))


def ix_(*args):
    """``jax.numpy.ix_``."""
    args = ensure_arrays("ix", *args)
    output = []
    for i, a in enumerate(args):
        if a.ndim != 1:
            raise ValueError("Arguments to jax.numpy.ix_ must be 1-dimensional, got shape "
                             f"{a.shape}")
        if a.dtype.family == "b":
            raise NotImplementedError("Boolean arguments to jax.numpy.ix_ are not implemented")
        shape = [1] * len(args)
        shape[i] = a.shape[0]
        output.append(shapes.broadcast_in_dim(a, shape, (i,)))
    return tuple(output)


s_, index_exp = IndexExpression(False), IndexExpression(True)
