"""``jax.numpy``: unique and its kin. How many there are depends on the numbers, so without
`size` they are for concrete arrays.

JAX source: ``jax/_src/numpy/setops.py``; ``jax/_src/numpy/sorting.py: lexsort``.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from simulator.api import jit
from simulator.facade.jax.lax import base, reducing, shapes
from simulator.facade.jax.lax import convert as conv
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.numpy.choosing import diff, nonzero, where
from simulator.facade.jax.numpy.creation import empty, full, full_like, ones, zeros
from simulator.facade.jax.numpy.cumulating import cumsum
from simulator.facade.jax.numpy.joining import append
from simulator.facade.jax.numpy.predicates import isnan
from simulator.facade.jax.numpy.ranges import arange
from simulator.facade.jax.numpy.reductions import any as any_
from simulator.facade.jax.numpy.reshaping import moveaxis
from simulator.facade.jax.numpy.util import ensure_array, ensure_arrays
from simulator.named_tuples import NamedTuple

_HINT = ("To make jnp.unique() compatible with JIT and other transforms, you can specify a "
         "concrete value for the size argument, which will determine the output size.")


@jit(static_argnames=("axis",))
def lexsort(keys, axis=-1):
    """``jax.numpy.lexsort``: the order by the last key, then by the one before it, …"""
    arrays = ensure_arrays("lexsort", *keys)
    if not arrays:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if len({a.shape for a in arrays}) > 1:
        raise ValueError("all keys need to be the same shape")
    if arrays[0].ndim == 0:
        return shapes.full((), 0, base.default_int())
    axis = base.canonical_axis(axis, arrays[0].ndim)
    iota = shapes.broadcasted_iota(base.default_int(), arrays[0].shape, axis)
    return reducing.sort((*arrays[::-1], iota), dimension=axis, num_keys=len(arrays))[-1]


@jit(static_argnames=("axis", "equal_nan"))
def _unique_sorted_mask(ar, axis, equal_nan):
    aux = moveaxis(ar, axis, 0)
    if base.is_kind(aux, "c"):
        aux = where(isnan(aux), base.const(aux, math.nan), aux)
    size, *out_shape = aux.shape
    if math.prod(out_shape) == 0:
        size, perm = 1, zeros(1, dtype=int)
    else:
        perm = lexsort(aux.reshape(size, math.prod(out_shape)).T[::-1])
    aux = aux[perm]
    if aux.size:
        def differ(x, y):
            if base.is_kind(aux, "fc") and equal_nan:
                return el.ne(x, y) & ~(isnan(x) & isnan(y))
            return el.ne(x, y)
        mask = ones(size, dtype=bool).at[1:].set(
            any_(differ(aux[1:], aux[:-1]), tuple(range(1, aux.ndim))))
    else:
        mask = zeros(size, dtype=bool)
    return aux, mask, perm


def _unique(ar: Any, axis: int, return_index: bool, return_inverse: bool, return_counts: bool,
            equal_nan: bool, size: int | None, fill_value: Any) -> Any:
    axis = base.canonical_axis(axis, ar.ndim)
    if ar.shape[axis] == 0 and size and fill_value is None:
        raise ValueError("jnp.unique: for zero-sized input with nonzero size argument, fill_value "
                         "must be specified")
    aux, mask, perm = _unique_sorted_mask(ar, axis, equal_nan)
    if size is None:
        ind = base.concrete(None, mask, "The error arose in jnp.unique(). " + _HINT)
    else:
        ind = nonzero(mask, size=size)[0]
    result = aux[ind] if aux.size else aux
    if size is not None and fill_value is not None:
        fill_value = conv.asarray(fill_value).astype(result.dtype)
        if result.shape[0]:
            valid = shapes.expand_dims(arange(size) < mask.sum(), tuple(range(1, result.ndim)))
            result = where(valid, result, fill_value)
        else:
            result = full_like(result, fill_value, shape=(size, *result.shape[1:]))
    found = [moveaxis(result, 0, axis)]
    if return_index:
        found.append(perm[ind] if aux.size else perm)
    if return_inverse:
        if aux.size:
            places = cumsum(mask) - 1
            found.append(zeros(mask.shape, dtype=int).at[perm].set(places))
        else:
            found.append(zeros(ar.shape[axis], dtype=int))
    if return_counts:
        found.append(_counts(ar, aux, mask, axis, size))
    return found[0] if len(found) == 1 else tuple(found)


def _counts(ar: Any, aux: Any, mask: Any, axis: int, size: int | None) -> Any:
    if not aux.size:
        return full((1,), ar.shape[axis], dtype=int) if ar.shape[axis] else empty(0, dtype=int)
    if size is None:
        starts = append(nonzero(mask)[0], mask.size)
    else:
        starts = nonzero(mask, size=size + 1)[0]
        starts = starts.at[1:].set(where(starts[1:], starts[1:], mask.size))
    return diff(starts)


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *,
           equal_nan=True, size=None, fill_value=None, sorted=True):
    """``jax.numpy.unique``. ConcretizationTypeError for a traced array without `size`."""
    arr = ensure_array("unique", ar)
    if size is None:
        arr = base.concrete(None, arr, "The error arose for the first argument of jnp.unique(). "
                            + _HINT)
    else:
        size = base.concrete(operator.index, size,
                             "The error arose for the size argument of jnp.unique(). " + _HINT)
    shape = arr.shape
    if axis is None:
        along, arr = 0, arr.flatten()
    else:
        along = base.canonical_axis(axis, arr.ndim)
    found = _unique(arr, along, return_index, return_inverse, return_counts, equal_nan=equal_nan,
                    size=size, fill_value=fill_value)
    if return_inverse and axis is None:
        i = 2 if return_index else 1
        found = (*found[:i], found[i].reshape(shape), *found[i + 1:])
    return found


class UniqueAllResult(NamedTuple):
    """What `unique_all` returns."""

    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


class UniqueCountsResult(NamedTuple):
    """What `unique_counts` returns."""

    values: Any
    counts: Any


class UniqueInverseResult(NamedTuple):
    """What `unique_inverse` returns."""

    values: Any
    inverse_indices: Any


def unique_all(x, /, *, size=None, fill_value=None):
    """``jax.numpy.unique_all``."""
    x = ensure_array("unique_all", x)
    return UniqueAllResult(*unique(x, return_index=True, return_inverse=True, return_counts=True,
                                   equal_nan=False, size=size, fill_value=fill_value))


def unique_counts(x, /, *, size=None, fill_value=None):
    """``jax.numpy.unique_counts``."""
    x = ensure_array("unique_counts", x)
    return UniqueCountsResult(*unique(x, return_counts=True, equal_nan=False, size=size,
                                      fill_value=fill_value))


def unique_inverse(x, /, *, size=None, fill_value=None):
    """``jax.numpy.unique_inverse``."""
    x = ensure_array("unique_inverse", x)
    return UniqueInverseResult(*unique(x, return_inverse=True, equal_nan=False, size=size,
                                       fill_value=fill_value))


def unique_values(x, /, *, size=None, fill_value=None):
    """``jax.numpy.unique_values``."""
    x = ensure_array("unique_values", x)
    return unique(x, equal_nan=False, size=size, fill_value=fill_value)
