"""Reductions and running results of any ufunc, one element after the other.

JAX source: ``jax/_src/numpy/ufunc_api.py: ufunc``.
"""

from __future__ import annotations

from typing import Any

from simulator.api import eval_shape
from simulator.facade.jax import lax
from simulator.facade.jax.lax import base
from simulator.facade.jax.lax.convert import asarray as lax_asarray
from simulator.facade.jax.numpy.util import (
    _where,
    broadcast_to,
    check_arraylike,
)


def _dtype_of_result(ufunc: Any, arr: Any) -> Any:
    one = lax.full_like(arr, 1, shape=())
    return eval_shape(ufunc._func, one, lax.full_like(arr, 1, shape=())).dtype


def _moved(a: Any, source: int, destination: int) -> Any:
    order = [i for i in range(a.ndim) if i != source]
    order.insert(destination, source)
    return lax.transpose(a, order)


def reduce_by_loop(ufunc: Any, arr: Any, axis: Any = 0, dtype: Any = None, keepdims: bool = False,
                   initial: Any = None, where: Any = None) -> Any:
    """``ufunc.reduce`` where no reduction does the same.

    JAX source: ``jax/_src/numpy/ufunc_api.py: ufunc._reduce_via_scan``.

    Errors: NotImplementedError for several axes; ValueError for nothing to reduce.
    """
    arr = lax_asarray(arr)
    if initial is None:
        initial = ufunc.identity
    if dtype is None:
        dtype = _dtype_of_result(ufunc, arr)
    if where is not None:
        where = broadcast_to(where, arr.shape)
    if isinstance(axis, tuple):
        raise NotImplementedError("tuple of axes")
    if axis is None:
        final = (1,) * arr.ndim if keepdims else ()
        arr = arr.ravel()
        where = where if where is None else where.ravel()
        axis = 0
    else:
        axis = base.canonical_axis(axis, arr.ndim)
        final = (*arr.shape[:axis], *((1,) if keepdims else ()), *arr.shape[axis + 1:])
    if axis != 0:
        arr = _moved(arr, axis, 0)
        where = where if where is None else _moved(where, axis, 0)
    if arr.shape[0] == 0:
        if initial is None:
            raise ValueError(f"zero-size array to reduction operation {ufunc.__name__} which has "
                             "no identity")
        return lax.full(final, initial, dtype)

    def body_fun(i, val):
        if where is None:
            return ufunc(val, arr[i].astype(dtype))
        return _where(where[i], ufunc(val, arr[i].astype(dtype)), val)

    first, start = (1, arr[0]) if initial is None else (0, initial)
    start = broadcast_to(lax_asarray(start).astype(dtype), arr.shape[1:])
    result = lax.fori_loop(first, arr.shape[0], body_fun, start)
    return result.reshape(final) if keepdims else result


def accumulate_by_loop(ufunc: Any, arr: Any, axis: int = 0, dtype: Any = None) -> Any:
    """``ufunc.accumulate`` where no cumulative operation does the same.

    JAX source: ``jax/_src/numpy/ufunc_api.py: ufunc._accumulate_via_scan``.

    Errors: ValueError for several axes.
    """
    check_arraylike(f"{ufunc.__name__}.accumulate", arr)
    arr = lax_asarray(arr)
    if dtype is None:
        dtype = _dtype_of_result(ufunc, arr)
    if axis is None or isinstance(axis, tuple):
        raise ValueError("accumulate does not allow multiple axes")
    axis = base.canonical_axis(axis, arr.ndim)
    if arr.size == 0:
        return lax.full(arr.shape, 0, dtype)
    arr = _moved(arr, axis, 0)

    def scan_fun(carry, _):
        i, x = carry
        y = _where(i == 0, arr[0].astype(dtype), ufunc(x.astype(dtype), arr[i].astype(dtype)))
        return (i + 1, y), y

    _, result = lax.scan(scan_fun, (0, arr[0].astype(dtype)), None, length=arr.shape[0])
    return _moved(result, 0, axis)
