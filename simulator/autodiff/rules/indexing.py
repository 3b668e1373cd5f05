"""Derivatives of slices and gathers.

JAX source: ``jax/_src/lax/slicing.py``, ``jax/_src/lax/lax.py: clamp_p``.
"""

from __future__ import annotations

from typing import Any

from simulator.autodiff import jvp
from simulator.autodiff.accumulate import is_unknown
from simulator.autodiff.rules.common import aval_of, nonzero, numpy_ints, primitive, zeros
from simulator.autodiff.zeros import Zero, instantiate, is_zero, tangent_aval, zero_of
from simulator.facade.jax import lax
from simulator.facade.jax.lax import base, slicing
from simulator.manual.varying import pvary
from simulator.primitives.all import (
    ScatterDimensionNumbers,
    dynamic_slice_p,
    dynamic_update_slice_p,
    gather_p,
    slice_p,
)


def _slice_jvp(primals: list, tangents: list, **params: Any) -> tuple:
    out = slice_p.bind(*primals, **params)
    return out, zero_of(out) if is_zero(tangents[0]) else slice_p.bind(*tangents, **params)


def _slice(t: Any, x: Any, *, start_indices: tuple, limit_indices: tuple, strides: Any) -> list:
    shape = x.aval.shape
    if strides is None or all(s == 1 for s in strides):
        pads = [(lo, *numpy_ints([n - hi]), 0)
                for lo, n, hi in zip(start_indices, shape, limit_indices)]
    else:
        ends = [lo + (0 if n == 0 else 1 + (n - 1) * s)
                for lo, n, s in zip(start_indices, base.shape(t), strides)]
        pads = [(lo, *numpy_ints((n - end, s - 1)))
                for lo, n, end, s in zip(start_indices, shape, ends, strides)]
    return [lax.pad(t, base.const(t, 0), pads)]


def _dynamic_slice_jvp(primals: list, tangents: list, **params: Any) -> tuple:
    tangent = tangents[0]
    if not is_zero(tangent):
        tangent = dynamic_slice_p.bind(tangent, *primals[1:], **params)
    out = dynamic_slice_p.bind(*primals, **params)
    return out, zero_of(out) if is_zero(tangent) else tangent


def _dynamic_slice(t: Any, x: Any, *starts: Any, slice_sizes: tuple) -> list:
    nothing = pvary(lax.full(x.aval.shape, 0, base.dtype(t), sharding=base.sharding_of(x.aval)),
                    x.aval.varying)
    return [dynamic_update_slice_p.bind(nothing, t, *starts), *[None] * len(starts)]


def _update_jvp(primals: list, tangents: list) -> tuple:
    out = dynamic_update_slice_p.bind(*primals)
    if is_zero(tangents[0]) and is_zero(tangents[1]):
        return out, zero_of(out)
    x, update = map(instantiate, tangents[:2])
    return out, dynamic_update_slice_p.bind(x, update, *primals[2:])


def _update(t: Any, x: Any, update: Any, *starts: Any) -> list:
    rest = [None] * len(starts)
    if is_zero(t):
        return [Zero(x.aval) if is_unknown(x) else None,
                Zero(update.aval) if is_unknown(update) else None, *rest]
    aval = tangent_aval(aval_of(update))
    nothing = lax.full_like(t, 0, shape=aval.shape, sharding=base.sharding_of(aval))
    return [dynamic_update_slice_p.bind(t, nothing, *starts) if is_unknown(x) else None,
            dynamic_slice_p.bind(t, *starts, slice_sizes=aval.shape)
            if is_unknown(update) else None, *rest]


def _gather_jvp(g: Any, x: Any, indices: Any, *, dimension_numbers: Any, slice_sizes: tuple,
                fill_value: Any, **params: Any) -> Any:
    return slicing.gather(g, indices, dimension_numbers, slice_sizes, fill_value=0, **params)


def _gather(t: Any, x: Any, indices: Any, *, dimension_numbers: Any, slice_sizes: tuple,
            fill_value: Any, **params: Any) -> list:
    d = dimension_numbers
    numbers = ScatterDimensionNumbers(
        d.offset_dims, d.collapsed_slice_dims, d.start_index_map, d.operand_batching_dims,
        d.start_indices_batching_dims)
    nothing = pvary(lax.full(x.aval.shape, 0, base.dtype(t), sharding=base.sharding_of(x.aval)),
                    x.aval.varying)
    return [lax.scatter_add(nothing, indices, t, numbers, **params), None]


def _clamp(which: Any) -> Any:
    return lambda g, lo, x, hi: lax.select(which(lo, x, hi), g, zeros(x))


slice_p.jvp, slice_p.transpose = _slice_jvp, nonzero(_slice)
dynamic_slice_p.jvp = _dynamic_slice_jvp
dynamic_slice_p.transpose = nonzero(_dynamic_slice)
dynamic_update_slice_p.jvp, dynamic_update_slice_p.transpose = _update_jvp, _update
gather_p.jvp = jvp.standard(gather_p, _gather_jvp, None)
gather_p.transpose = nonzero(_gather)
primitive("clamp").jvp = jvp.standard(
    primitive("clamp"),
    _clamp(lambda lo, x, hi: lax.bitwise_and(lax.gt(lo, x), lax.lt(lo, hi))),
    _clamp(lambda lo, x, hi: lax.bitwise_and(lax.gt(x, lo), lax.lt(x, hi))),
    _clamp(lambda lo, x, hi: lax.lt(hi, x)))
