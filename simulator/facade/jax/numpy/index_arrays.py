"""``jax.numpy`` functions that make indices: of triangles, of diagonals, of what is not zero.

JAX source: ``jax/_src/numpy/lax_numpy.py: triu_indices, tril_indices, diag_indices,
mask_indices, argwhere, unravel_index, ravel_multi_index, ix_``.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from simulator.facade.jax.lax import base, shapes
from simulator.facade.jax.numpy import arithmetic
from simulator.facade.jax.numpy.choosing import clip, nonzero, where
from simulator.facade.jax.numpy.constructors import array, asarray
from simulator.facade.jax.numpy.creation import ones
from simulator.facade.jax.numpy.diagonals import tril, triu
from simulator.facade.jax.numpy.joining import vstack
from simulator.facade.jax.numpy.reductions import any as any_
from simulator.facade.jax.numpy.reshaping import (
    atleast_1d,
    transpose,
)
from simulator.facade.jax.numpy.util import ensure_array, ensure_arrays, result_type
from simulator.ndarrays.ndarray_index import IndexExpression
from simulator.types import dtypes


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


def _shape_of_two(name: str, arr: Any) -> tuple[int, int]:
    shape = arr.shape if hasattr(arr, "shape") else ensure_array(name, arr).shape
    if len(shape) != 2:
        raise ValueError("Only 2-D inputs are accepted")
    return shape


def triu_indices_from(arr, k=0):
    """``jax.numpy.triu_indices_from``."""
    n, m = _shape_of_two("triu_indices_from", arr)
    return triu_indices(n, k=k, m=m)


def tril_indices_from(arr, k=0):
    """``jax.numpy.tril_indices_from``."""
    n, m = _shape_of_two("tril_indices_from", arr)
    return tril_indices(n, k=k, m=m)


def diag_indices_from(arr):
    """``jax.numpy.diag_indices_from``. ValueError for what is no square."""
    arr = ensure_array("diag_indices_from", arr)
    if arr.ndim < 2:
        raise ValueError("input array must be at least 2-d")
    if len(set(arr.shape)) != 1:
        raise ValueError("All dimensions of input must be of equal length")
    return diag_indices(arr.shape[0], ndim=arr.ndim)


def mask_indices(n, mask_func, k=0, *, size=None):
    """``jax.numpy.mask_indices``."""
    i, j = nonzero(mask_func(ones((n, n)), k), size=size)
    return i, j


def ravel_multi_index(multi_index, dims, mode="raise", order="C", *, dtype=None):
    """``jax.numpy.ravel_multi_index``. ConcretizationTypeError for a tracer unless the mode
    says what to do with numbers that are out of bounds."""
    assert len(multi_index) == len(dims), f"{len(multi_index)=} != {len(dims)=}"
    dims = tuple(base.concrete(operator.index, d, "in `dims` argument of ravel_multi_index().")
                 for d in dims)
    numbers = list(ensure_arrays("ravel_multi_index", *multi_index))
    dtype = result_type(int, *numbers)[0] if dtype is None else dtypes.dtype(dtype)
    if dtype.family not in "iu":
        raise ValueError(f"{dtype=} is not an integer type.")
    if math.prod(dims) - 1 > dtypes.iinfo(dtype).max:
        raise ValueError(
            f"jnp.ravel_multi_index: {dtype=} not large enough to hold flattened index for "
            f"{dims=}. Use the dtype argument to pass a suitable dtype (e.g. "
            "dtype=np.min_scalar_type(prod(dims))).")
    for i in numbers:
        if mode == "raise":
            base.concrete(array, i, "The error occurred because ravel_multi_index was jit-compiled "
                          "with mode='raise'. Use mode='wrap' or mode='clip' instead.")
        if not base.is_kind(i, "iu"):
            raise TypeError("only int indices permitted")
    if mode == "raise":
        if any(any_((i < 0) | (i >= d)) for i, d in zip(numbers, dims)):
            raise ValueError("invalid entry in coordinates array")
    elif mode == "clip":
        numbers = [clip(i, 0, d - 1) for i, d in zip(numbers, dims)]
    elif mode == "wrap":
        numbers = [i % d for i, d in zip(numbers, dims)]
    elif mode != "ignore":
        raise ValueError(f"invalid {mode=}. Expected 'raise', 'wrap', 'clip', or 'ignore'.")
    if order not in ("C", "F"):
        raise ValueError(f"invalid {order=}. Expected 'C' or 'F'")
    steps = [math.prod(dims[:k] if order == "F" else dims[k + 1:]) for k in range(len(dims))]
    result = array(0, dtype=dtype)
    for i, step in zip(numbers, steps):
        result = result + i.astype(dtype) * step
    return result


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
        # As in NumPy, where there are no elements the indices are integers, whatever was given.
        output.append(shapes.broadcast_in_dim(a, shape, (i,)) if a.size
                      else shapes.full(shape, 0, base.default_int()))
    return tuple(output)


s_, index_exp = IndexExpression(False), IndexExpression(True)
