"""``jax.numpy`` functions on sorted elements: quantile, percentile, median, and those that skip NaN.

JAX source: ``jax/_src/numpy/reductions.py: quantile, nanquantile,
_quantile, percentile, median …``.
"""

from __future__ import annotations

import math
from typing import Any

from simulator import process
from simulator.api import jit
from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base, reducing, shapes, slicing
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.lax.convert import convert_element_type
from simulator.facade.jax.numpy import reductions as red
from simulator.facade.jax.numpy.util import (
    _where,
    ensure_array,
    ensure_arrays,
    promote_inexact,
)
from simulator.primitives.gather import GatherDimensionNumbers

_OPTIONS = ("axis", "overwrite_input", "keepdims", "method")
_METHODS = ("linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf")


def _checked(name: str, out: Any, overwrite_input: bool, weights: Any, method: str) -> None:
    if overwrite_input or out is not None:
        raise ValueError(f"jax.numpy.{name} does not support overwrite_input=True or out != None")
    if method not in _METHODS:
        raise ValueError("method can only be 'linear', 'lower', 'higher', 'midpoint', 'nearest' "
                         "or 'inverted_cdf'")
    if weights is not None or method == "inverted_cdf":
        raise OutOfScope(f"jax.numpy.{name}(method='inverted_cdf')", "use method='linear'")


@jit(static_argnames=_OPTIONS)
def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *,
             weights=None):
    """``jax.numpy.quantile``, without weights."""
    a, q = ensure_arrays("quantile", a, q)
    _checked("quantile", out, overwrite_input, weights, method)
    return _quantile(a, q, axis, method, keepdims, _among_all)


@jit(static_argnames=_OPTIONS)
def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False,
                *, weights=None):
    """``jax.numpy.nanquantile``, without weights."""
    a, q = ensure_arrays("nanquantile", a, q)
    _checked("nanquantile", out, overwrite_input, weights, method)
    return _quantile(a, q, axis, method, keepdims, _among_numbers)


def _quantile(a: Any, q: Any, axis: Any, method: str, keepdims: bool, neighbours: Any) -> Any:
    a, = promote_inexact(a)
    if a.dtype.family == "c":
        raise ValueError("quantile does not support complex input, as the operation is poorly "
                         "defined.")
    kept: list[int] = []
    if axis is None:
        kept = [1] * a.ndim if keepdims else []
        a, axis = a.ravel(), 0
    elif isinstance(axis, tuple):
        a, kept = _last_together(a, axis)
        axis = a.ndim - 1
    else:
        axis = base.canonical_axis(axis, a.ndim)
    if q.ndim > 1:
        raise ValueError(f"q must be have rank <= 1, got shape {q.shape}")
    if neighbours is _among_numbers and a.shape[axis] == 0:
        left = [1 if i == axis else n for i, n in enumerate(a.shape) if keepdims or i != axis]
        return shapes.full(tuple(kept or left) if keepdims else tuple(left), math.nan,
                           dtype=a.dtype)
    low_value, high_value, low_weight, high_weight = neighbours(a, q, axis, keepdims)
    if method == "linear":
        result = el.add(el.mul(low_value.astype(low_weight.dtype), low_weight),
                        el.mul(high_value.astype(low_weight.dtype), high_weight))
    elif method in ("lower", "higher"):
        result = low_value if method == "lower" else high_value
    elif method == "nearest":
        near = el.le(high_weight, base.const(high_weight, 0.5))
        result = el.select(near, low_value, high_value)
    else:
        result = el.mul(el.add(low_value, high_value), base.const(low_value, 0.5))
    if keepdims and kept:
        result = result.reshape([q.shape[0], *kept] if q.ndim else kept)
    return convert_element_type(result, a.dtype)


def _last_together(a: Any, axes: tuple) -> tuple:
    # Several axes as one, the last; and the shape with 1 in their place.
    axes = tuple(base.canonical_axis(i, a.ndim) for i in axes)
    if len(set(axes)) != len(axes):
        raise ValueError("repeated axis")
    kept = [1 if i in axes else n for i, n in enumerate(a.shape)]
    order = list(range(a.ndim))
    for i, place in enumerate(n for n in range(a.ndim) if n not in axes):
        order[i], order[place] = order[place], order[i]
    stay = tuple(n for i, n in enumerate(a.shape) if i not in axes)
    together = math.prod(n for i, n in enumerate(a.shape) if i in axes)
    return shapes.reshape(a, (*stay, together), order), kept


def _among_all(a: Any, q: Any, axis: int, keepdims: bool) -> tuple:
    # (lower neighbour, upper one, weight of each); all NaN where there is one.
    shape = a.shape
    with process.current().config.state("jax_debug_nans")(False):
        a = _where(red.any(el.isnan(a), axis=axis, keepdims=True), math.nan, a)
    a = reducing.sort(a, dimension=axis)
    n = convert_element_type(shape[axis], q.dtype)
    q = el.mul(q, n - 1)
    low, high = el.floor(q), el.ceil(q)
    high_weight = el.sub(q, low)
    low_weight = el.sub(base.const(high_weight, 1), high_weight)
    low = el.clamp(base.const(low, 0), low, n - 1)
    high = el.clamp(base.const(high, 0), high, n - 1)
    low, high = convert_element_type(low, int), convert_element_type(high, int)
    sizes = [*shape[:axis], 1, *shape[axis + 1:]]
    rank = len(shape) + q.ndim - (0 if keepdims else 1)
    dnums = GatherDimensionNumbers(tuple(range(q.ndim, rank)), () if keepdims else (axis,),
                                   (axis,))
    low_value = slicing.gather(a, low[..., None], dimension_numbers=dnums, slice_sizes=sizes)
    high_value = slicing.gather(a, high[..., None], dimension_numbers=dnums, slice_sizes=sizes)
    if q.ndim == 1:
        low_weight = shapes.broadcast_in_dim(low_weight, low_value.shape, (0,))
        high_weight = shapes.broadcast_in_dim(high_weight, high_value.shape, (0,))
    return low_value, high_value, low_weight, high_weight


def _among_numbers(a: Any, q: Any, axis: int, keepdims: bool) -> tuple:
    # The same among those that are no NaN: how many there are differs from row to row.
    a = _where(el.isnan(a), math.nan, a)
    a = reducing.sort(a, dimension=axis)
    counts = red.sum(el.bitwise_not(el.isnan(a)), axis=axis, dtype=q.dtype, keepdims=keepdims)
    rows, more = counts.shape, q.ndim
    out_shape = q.shape + rows
    q = shapes.expand_dims(q, tuple(range(more, len(rows) + more)))
    counts = shapes.expand_dims(counts, tuple(range(more)))
    q = el.mul(q, el.sub(counts, base.const(q, 1)))
    low, high = el.floor(q), el.ceil(q)
    high_weight = el.sub(q, low)
    low_weight = el.sub(base.const(high_weight, 1), high_weight)
    low = el.max(base.const(low, 0), el.min(low, counts - 1))
    high = el.max(base.const(high, 0), el.min(high, counts - 1))
    low, high = convert_element_type(low, int), convert_element_type(high, int)
    index = [shapes.broadcasted_iota(int, out_shape, i + more) for i in range(len(rows))]
    if keepdims:
        index[axis] = low
    else:
        index.insert(axis, low)
    low_value = a[tuple(index)]
    index[axis] = high
    return low_value, a[tuple(index)], low_weight, high_weight


@jit(static_argnames=("axis", "overwrite_input", "keepdims", "method", "out_sharding"))
def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False,
               *, weights=None, out_sharding=None):
    """``jax.numpy.percentile``."""
    a, q = ensure_arrays("percentile", a, q)
    base.no_out_sharding(out_sharding, "jax.numpy.percentile")
    q, = promote_inexact(q)
    return quantile(a, q / 100, axis=axis, out=out, overwrite_input=overwrite_input,
                    method=method, keepdims=keepdims, weights=weights)


@jit(static_argnames=("axis", "overwrite_input", "keepdims"))
def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """``jax.numpy.median``."""
    a = ensure_array("median", a)
    return quantile(a, 0.5, axis=axis, out=out, overwrite_input=overwrite_input,
                    keepdims=keepdims, method="midpoint")


@jit(static_argnames=_OPTIONS)
def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method="linear",
                  keepdims=False, *, weights=None):
    """``jax.numpy.nanpercentile``."""
    a, q = ensure_arrays("nanpercentile", a, q)
    q, = promote_inexact(q)
    return nanquantile(a, q / 100, axis=axis, out=out, overwrite_input=overwrite_input,
                       method=method, weights=weights, keepdims=keepdims)


@jit(static_argnames=("axis", "overwrite_input", "keepdims"))
def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """``jax.numpy.nanmedian``."""
    a = ensure_array("nanmedian", a)
    return nanquantile(a, 0.5, axis=axis, out=out, overwrite_input=overwrite_input,
                       keepdims=keepdims, method="midpoint")
