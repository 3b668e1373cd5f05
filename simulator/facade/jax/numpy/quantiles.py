"""``jax.numpy`` functions on sorted elements: quantile, percentile, median.

JAX source: ``jax/_src/numpy/reductions.py: quantile, _quantile, percentile, median``.
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


@jit(static_argnames=("axis", "overwrite_input", "keepdims", "method"))
def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *,
             weights=None):
    """``jax.numpy.quantile`` along one axis or all, without weights."""
    a, q = ensure_arrays("quantile", a, q)
    if overwrite_input or out is not None:
        raise ValueError("jax.numpy.quantile does not support overwrite_input=True or out != None")
    if weights is not None or isinstance(axis, tuple):
        raise OutOfScope("jax.numpy.quantile with weights or several axes", "use one axis")
    if method not in ("linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf"):
        raise ValueError("method can only be 'linear', 'lower', 'higher', 'midpoint', 'nearest' "
                         "or 'inverted_cdf'")
    if method == "inverted_cdf":
        raise OutOfScope("jax.numpy.quantile(method='inverted_cdf')", "use method='linear'")
    return _quantile(a, q, axis, method, keepdims)


def _quantile(a: Any, q: Any, axis: Any, method: str, keepdims: bool) -> Any:
    a, = promote_inexact(a)
    if a.dtype.family == "c":
        raise ValueError("quantile does not support complex input, as the operation is poorly "
                         "defined.")
    kept: list[int] = []
    if axis is None:
        kept = [1] * a.ndim if keepdims else []
        a, axis = a.ravel(), 0
    else:
        axis = base.canonical_axis(axis, a.ndim)
    if q.ndim > 1:
        raise ValueError(f"q must be have rank <= 1, got shape {q.shape}")
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
    if method == "linear":
        result = el.add(el.mul(low_value.astype(q.dtype), low_weight),
                        el.mul(high_value.astype(q.dtype), high_weight))
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
