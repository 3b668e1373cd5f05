"""``jax.numpy`` sets, two at a time: what is in both, in one of them, in either. How many
there are depends on the numbers, so without `size` they are for concrete arrays.

JAX source: ``jax/_src/numpy/setops.py``.
"""

from __future__ import annotations

import operator

from simulator.api import jit
from simulator.errors import OutOfScope
from simulator.facade import numpy as np
from simulator.facade.jax.lax import base, reducing, shapes
from simulator.facade.jax.numpy.choosing import sort, where
from simulator.facade.jax.numpy.creation import full_like, ones, zeros
from simulator.facade.jax.numpy.joining import concatenate
from simulator.facade.jax.numpy.looping import searchsorted
from simulator.facade.jax.numpy.ranges import arange
from simulator.facade.jax.numpy.reshaping import ravel
from simulator.facade.jax.numpy.sets import unique
from simulator.facade.jax.numpy.util import ensure_arrays, promote_dtypes


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


def setxor1d(ar1, ar2, assume_unique=False, *, size=None, fill_value=None):
    """``jax.numpy.setxor1d``. OutOfScope with a size."""
    ar1, ar2 = ensure_arrays("setxor1d", ar1, ar2)
    arr1, arr2 = promote_dtypes(ravel(ar1), ravel(ar2))
    if size is not None:
        raise OutOfScope("jax.numpy.setxor1d(size=…)", "use isin and where")
    if not assume_unique:
        arr1, arr2 = unique(arr1), unique(arr2)
    aux = concatenate((arr1, arr2))
    if aux.size == 0:
        return aux
    aux = sort(aux)
    alone = concatenate((True, aux[1:] != aux[:-1], True), axis=None)
    return aux[alone[1:] & alone[:-1]]
