"""``jax.numpy`` statistics: mean, var, std, and the reductions that skip NaN.

JAX source: ``jax/_src/numpy/reductions.py: mean, _mean, var, _var, std, nansum …``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from simulator import process
from simulator.api import jit
from simulator.facade.jax.lax import base, shapes
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.lax.convert import convert_element_type
from simulator.facade.jax.numpy import reductions as red
from simulator.facade.jax.numpy.reductions import check_where, static_axis, upcast_f16
from simulator.facade.jax.numpy.util import (
    _where,
    asarray,
    broadcast_to,
    ensure_array,
    ensure_arrays,
    promote_inexact,
)
from simulator.types import dtypes


def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=None):
    """``jax.numpy.mean``."""
    return _mean(a, static_axis(axis), dtype, out, keepdims, where=where,
                 upcast_f16_for_computation=dtype is None)


def count(a: Any, axis: Any, keepdims: bool, where: Any, dtype: Any) -> Any:
    """How many elements go into each result of a reduction."""
    if where is not None:
        return red.sum(broadcast_to(where, base.shape(a)), axis, dtype=dtype, keepdims=keepdims)
    shape = base.shape(a)
    axes = range(len(shape)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return convert_element_type(math.prod(shape[i] for i in axes), dtype)


@jit(static_argnames=("axis", "dtype", "keepdims", "upcast_f16_for_computation"), inline=True)
def _mean(a, axis=None, dtype=None, out=None, keepdims=False, *,
          upcast_f16_for_computation=True, where=None):
    a = ensure_array("mean", a)
    where = check_where("mean", where)
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.mean is not supported.")
    result = dtypes.to_inexact(a.dtype) if dtype is None else base.user_dtype(dtype, "mean")
    work = upcast_f16(result) if upcast_f16_for_computation and result.family in "fc" else result
    normalizer = count(a, axis, keepdims, where, work)
    total = red.sum(a, axis, dtype=work, keepdims=keepdims, where=where)
    return el.div(total, normalizer).astype(result)


def average(a, axis=None, weights=None, returned=False, keepdims=False):
    """``jax.numpy.average``."""
    return _average(a, static_axis(axis), weights, returned, keepdims)


@jit(static_argnames=("axis", "returned", "keepdims"), inline=True)
def _average(a, axis=None, weights=None, returned=False, keepdims=False):
    axes = base.canonical_axes(axis, base.ndim(a))
    if weights is None:
        a, = promote_inexact(ensure_array("average", a))
        avg = mean(a, axis=axis, keepdims=keepdims)
        total = shapes.full((), math.prod(a.shape[d] for d in axes), dtype=avg.dtype)
    else:
        a, weights = promote_inexact(*ensure_arrays("average", a, weights))
        if a.shape != weights.shape:
            if axis is None:
                raise ValueError("Axis must be specified when shapes of a and weights differ.")
            if weights.shape != tuple(a.shape[i] for i in axes):
                raise ValueError("Shape of weights must be consistent with shape of a along "
                                 "specified axis.")
            order = tuple(sorted(range(len(axes)), key=axes.__getitem__))
            weights = shapes.reshape(
                weights, tuple(n if i in axes else 1 for i, n in enumerate(a.shape)),
                dimensions=order)
        total = red.sum(weights, axis=axis, keepdims=keepdims)
        avg = red.sum(a * weights, axis=axis, keepdims=keepdims) / total
    if not returned:
        return avg
    return avg, total if avg.shape == total.shape else broadcast_to(total, avg.shape)


def _correction(ddof: Any, correction: Any) -> Any:
    if correction is None:
        return ddof
    if not isinstance(ddof, int) or ddof != 0:
        raise ValueError("ddof and correction can't be provided simultaneously.")
    return correction


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None,
        correction=None):
    """``jax.numpy.var``."""
    correction = _correction(ddof, correction)
    a = ensure_array("var", a)
    return _var(a, axis=static_axis(axis), dtype=dtype, out=out, correction=correction,
                keepdims=keepdims, where=where, a_mean=mean)


def _squares(x):
    # Of complex numbers the squares of their sizes, which are real.
    return el.real(el.mul(x, el.conj(x))) if x.dtype.family == "c" else el.square(x)


@jit(static_argnames=("axis", "dtype", "keepdims"))
def _var(a, *, axis=None, dtype=None, out=None, correction=0, keepdims=False, where=None,
         a_mean=None):
    where = check_where("var", where)
    if dtype is not None:
        dtype = base.user_dtype(dtype, "var")
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.var is not supported.")
    work, dtype = _var_types(a.dtype, dtype)
    a = asarray(a).astype(work)
    if a_mean is None:
        a_mean = mean(a, axis, dtype=work, keepdims=True, where=where)
    else:
        a_mean = ensure_array("var", a_mean).astype(work)
    centered = _squares(el.sub(a, a_mean))
    work = centered.dtype
    normalizer = count(a, axis, keepdims, where, work)
    normalizer = el.sub(normalizer, convert_element_type(correction, work))
    result = red.sum(centered, axis, dtype=work, keepdims=keepdims, where=where)
    result = el.div(result, normalizer).astype(dtype)
    with process.current().config.state("jax_debug_nans")(False):
        return _where(normalizer > 0, result, math.nan)


def _var_types(own: Any, dtype: Any) -> tuple:
    if dtype:
        if dtype.family != "c" and own.family == "c":
            raise ValueError(
                "jax.numpy.var does not yet support real dtype parameters when computing the "
                "variance of an array of complex values. The semantics of numpy.var seem unclear "
                "in this case. Please comment on https://github.com/jax-ml/jax/issues/2283 if "
                "this behavior is important to you.")
        return upcast_f16(dtype), dtype
    if own.family not in "fc":
        found = dtypes.to_inexact(own)
        return upcast_f16(found), found
    return upcast_f16(own), dtypes.real_part(own)


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None,
        correction=None):
    """``jax.numpy.std``."""
    correction = _correction(ddof, correction)
    a = ensure_array("std", a)
    return _std(a, axis=static_axis(axis), dtype=dtype, out=out, correction=correction,
                keepdims=keepdims, where=where, mean=mean)


@jit(static_argnames=("axis", "dtype", "keepdims"))
def _std(a, *, axis=None, dtype=None, out=None, correction=0, keepdims=False, where=None,
         mean=None):
    where = check_where("std", where)
    if dtype is not None:
        dtype = base.user_dtype(dtype, "std")
        if dtype.family not in "fc":
            raise ValueError(f"dtype argument to jnp.std must be inexact; got {dtype}")
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.std is not supported.")
    return el.sqrt(var(a, axis=axis, dtype=dtype, correction=correction, keepdims=keepdims,
                       where=where, mean=mean))


def ptp(a, axis=None, out=None, keepdims=False):
    """``jax.numpy.ptp``: largest minus smallest."""
    a = ensure_array("ptp", a)
    return _ptp(a, static_axis(axis), out, keepdims)


@jit(static_argnames=("axis", "keepdims"))
def _ptp(a, axis=None, out=None, keepdims=False):
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.ptp is not supported.")
    high = red.amax(a, axis=axis, keepdims=keepdims)
    return el.sub(high, red.amin(a, axis=axis, keepdims=keepdims))


@jit(static_argnames=("axis", "keepdims"))
def count_nonzero(a, axis=None, keepdims=False):
    """``jax.numpy.count_nonzero``."""
    a = ensure_array("count_nonzero", a)
    return red.sum(el.ne(a, base.const(a, 0)), axis=axis, dtype=base.default_int(),
                   keepdims=keepdims)


def _skip_nan(a: Any, name: str, reduce: Callable, init: Any, nan_if_all: bool, axis: Any = None,
              keepdims: bool = False, where: Any = None, **options: Any) -> Any:
    a = ensure_array(name, a)
    where = check_where(name, where)
    if a.dtype.family not in "fc":
        return reduce(a, axis=axis, keepdims=keepdims, where=where, **options)
    out = reduce(_where(el.isnan(a), red.start_value(a, init), a), axis=axis, keepdims=keepdims,
                 where=where, **options)
    if not nan_if_all:
        return out
    return _where(red.all(el.isnan(a), axis=axis, keepdims=keepdims), base.const(a, math.nan), out)


@jit(static_argnames=("axis", "keepdims"))
def nanmin(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    """``jax.numpy.nanmin``."""
    return _skip_nan(a, "nanmin", red.min, math.inf, initial is None, axis=axis, out=out,
                     keepdims=keepdims, initial=initial, where=where)


@jit(static_argnames=("axis", "keepdims"))
def nanmax(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    """``jax.numpy.nanmax``."""
    return _skip_nan(a, "nanmax", red.max, -math.inf, initial is None, axis=axis, out=out,
                     keepdims=keepdims, initial=initial, where=where)


@jit(static_argnames=("axis", "dtype", "keepdims"))
def nansum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    """``jax.numpy.nansum``."""
    if dtype is not None:
        dtype = base.user_dtype(dtype, "nanprod")
    return _skip_nan(a, "nansum", red.sum, 0, False, axis=axis, dtype=dtype, out=out,
                     keepdims=keepdims, initial=initial, where=where)


@jit(static_argnames=("axis", "dtype", "keepdims"))
def nanprod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    """``jax.numpy.nanprod``."""
    if dtype is not None:
        dtype = base.user_dtype(dtype, "nanprod")
    return _skip_nan(a, "nanprod", red.prod, 1, False, axis=axis, dtype=dtype, out=out,
                     keepdims=keepdims, initial=initial, where=where)


@jit(static_argnames=("axis", "dtype", "keepdims"))
def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, where=None):
    """``jax.numpy.nanmean``."""
    a = ensure_array("nanmean", a)
    where = check_where("nanmean", where)
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.nanmean is not supported.")
    if a.dtype.family in "biu":
        return mean(a, axis, dtype, out, keepdims, where=where)
    dtype = dtypes.to_inexact(a.dtype) if dtype is None else base.user_dtype(dtype, "mean")
    count = red.sum(el.bitwise_not(el.isnan(a)), axis=axis, dtype=dtype, keepdims=keepdims,
                    where=where)
    return el.div(nansum(a, axis, dtype=dtype, keepdims=keepdims, where=where), count)


@jit(static_argnames=("axis", "dtype", "keepdims"))
def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=None, mean=None):
    """``jax.numpy.nanvar``."""
    a = ensure_array("nanvar", a)
    where = check_where("nanvar", where)
    if dtype is not None:
        dtype = base.user_dtype(dtype, "nanvar")
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.nanvar is not supported.")
    work, dtype = _var_types(a.dtype, dtype)
    a = asarray(a).astype(work)
    if mean is None:
        mean = nanmean(a, axis, dtype=work, keepdims=True, where=where)
    else:
        mean = ensure_array("nanvar", mean).astype(work)
    centered = _squares(_where(el.isnan(a), 0, el.sub(a, mean)))
    count = red.sum(el.bitwise_not(el.isnan(a)), axis=axis, keepdims=keepdims, where=where) - ddof
    none = el.le(count, shapes.zero(count))
    result = red.sum(centered, axis, keepdims=keepdims, where=where)
    result = _where(none, math.nan, result)
    divisor = _where(none, 1, count)
    result = el.div(result, convert_element_type(divisor, result.dtype))
    return convert_element_type(result, dtype)


@jit(static_argnames=("axis", "dtype", "keepdims"))
def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=None, mean=None):
    """``jax.numpy.nanstd``."""
    a = ensure_array("nanstd", a)
    where = check_where("nanstd", where)
    if dtype is not None:
        dtype = base.user_dtype(dtype, "nanstd")
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.nanstd is not supported.")
    return el.sqrt(nanvar(a, axis=axis, dtype=dtype, ddof=ddof, keepdims=keepdims, where=where,
                          mean=mean))
