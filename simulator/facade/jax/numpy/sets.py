"""``jax.numpy`` sets: unique and its kin. How many there are depends on the numbers, so
without `size` they are for concrete arrays.

JAX source: ``jax/_src/numpy/setops.py``; ``jax/_src/numpy/sorting.py: lexsort``.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from simulator.api import jit
from simulator.errors import OutOfScope
from simulator.facade import numpy as np
from simulator.facade.jax.lax import base, reducing, shapes
from simulator.facade.jax.lax import convert as conv
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.numpy.choosing import diff, nonzero, sort, where
from simulator.facade.jax.numpy.creation import empty, full, full_like, ones, zeros
from simulator.facade.jax.numpy.joining import append, concatenate
from simulator.facade.jax.numpy.looping import searchsorted
from simulator.facade.jax.numpy.math_functions import isnan
from simulator.facade.jax.numpy.ranges import arange
from simulator.facade.jax.numpy.reductions import any as any_
from simulator.facade.jax.numpy.reductions import cumsum
from simulator.facade.jax.numpy.reshaping import moveaxis, ravel
from simulator.facade.jax.numpy.util import ensure_array, ensure_arrays, promote_dtypes
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


class UniqueCountsResult(NamedTuple):
    """What `unique_counts` returns."""

    values: Any
    counts: Any


class UniqueInverseResult(NamedTuple):
    """What `unique_inverse` returns."""

    values: Any
    inverse_indices: Any


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


# --- two sets ------------------------------------------------------------------

@jit(static_argnames=("assume_unique", "invert", "method"))
def _in1d(ar1, ar2, invert, method="auto", assume_unique=False):
    ar1, ar2 = ensure_arrays("in1d", ar1, ar2)
    arr1, arr2 = promote_dtypes(ar1, ar2)
    arr1, arr2 = arr1.ravel(), arr2.ravel()
    if not (arr1.size and arr2.size):
        return (ones if invert else zeros)(arr1.shape, dtype=bool)
    if method in ("auto", "compare_all"):
        if invert:
            return (arr1[:, None] != arr2[None, :]).all(-1)
        return (arr1[:, None] == arr2[None, :]).any(-1)
    if method == "binary_search":
        arr2 = reducing.sort(arr2)
        ind = searchsorted(arr2, arr1)
        return arr1 != arr2[ind] if invert else arr1 == arr2[ind]
    if method == "sort":
        raise OutOfScope("jax.numpy.isin(method='sort')", "leave the method out")
    raise ValueError(f"{method=} is not implemented; options are 'compare_all', 'binary_search', "
                     "'sort', and 'auto'")


def isin(element, test_elements, assume_unique=False, invert=False, *, method="auto"):
    """``jax.numpy.isin``."""
    element, test_elements = ensure_arrays("isin", element, test_elements)
    found = _in1d(element, test_elements, invert=invert, method=method,
                  assume_unique=assume_unique)
    return found.reshape(base.shape(element))


def union1d(ar1, ar2, *, size=None, fill_value=None):
    """``jax.numpy.union1d``."""
    ar1, ar2 = ensure_arrays("union1d", ar1, ar2)
    if size is None:
        ar1 = base.concrete(None, ar1, "The error arose in union1d()")
        ar2 = base.concrete(None, ar2, "The error arose in union1d()")
    else:
        size = base.concrete(operator.index, size, "The error arose in union1d()")
    return unique(concatenate((ar1, ar2), axis=None), size=size, fill_value=fill_value)


def setdiff1d(ar1, ar2, assume_unique=False, *, size=None, fill_value=None):
    """``jax.numpy.setdiff1d``."""
    arr1, arr2 = ensure_arrays("setdiff1d", ar1, ar2)
    arr1, arr2 = arr1.ravel(), arr2.ravel()
    if size is None:
        base.concrete(None, ar1, "The error arose in setdiff1d()")
    else:
        size = base.concrete(operator.index, size, "The error arose in setdiff1d()")
    fill_value = full_like(arr1, fill_value=0 if fill_value is None else fill_value, shape=())
    if not arr1.size:
        return full_like(arr1, fill_value, shape=size or 0)
    if not assume_unique:
        arr1 = unique(arr1, size=size and arr1.size)
    mask = _in1d(arr1, arr2, invert=True, assume_unique=assume_unique)
    if size is None:
        return arr1[mask]
    if not assume_unique:
        count = arr1.size + 1 - (arr1 == arr1[0]).sum()
        mask = where(arange(arr1.size) < count, mask, False)
    return where(arange(size) < mask.sum(), arr1[where(mask, size=size)], fill_value)


@jit(static_argnames=("return_indices",))
def _intersect1d_sorted_mask(arr1, arr2, return_indices):
    arr = concatenate((arr1, arr2))
    indices = None
    if return_indices:
        iota = shapes.broadcasted_iota(np.int32, arr.shape, dimension=0)
        aux, indices = reducing.sort_key_val(arr, iota)
    else:
        aux = sort(arr)
    return aux, aux[1:] == aux[:-1], indices


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False, *, size=None,
                fill_value=None):
    """``jax.numpy.intersect1d``. OutOfScope with a size."""
    ar1, ar2 = ensure_arrays("intersect1d", ar1, ar2)
    arr1, arr2 = map(ravel, promote_dtypes(ar1, ar2))
    if size is not None:
        raise OutOfScope("jax.numpy.intersect1d(size=…)", "use isin and where")
    ind1 = ind2 = arange(0)
    if not assume_unique:
        if return_indices:
            arr1, ind1 = unique(arr1, return_index=True)
            arr2, ind2 = unique(arr2, return_index=True)
        else:
            arr1, arr2 = unique(arr1), unique(arr2)
    aux, mask, order = _intersect1d_sorted_mask(arr1, arr2, return_indices)
    both = aux[:-1][mask]
    if not return_indices:
        return both
    first, second = order[:-1][mask], order[1:][mask] - arr1.size
    if not assume_unique:
        first, second = ind1[first], ind2[second]
    return both, first, second


