"""Derivatives of functions of two numbers, of products of matrices, and of conversions.

JAX source: ``jax/_src/lax/lax.py``.
"""

from __future__ import annotations

from typing import Any

from simulator.autodiff import jvp
from simulator.autodiff.accumulate import is_unknown
from simulator.autodiff.rules.common import (
    argsort,
    aval_of,
    balanced_eq,
    bilinear,
    broadcast_to,
    maybe_broadcast,
    nonzero,
    ones,
    primitive,
    replace_zero,
    unbroadcast,
    zeros,
)
from simulator.autodiff.zeros import Zero, is_zero, tangent_aval, tangent_dtype, zero_of
from simulator.facade.jax import lax
from simulator.facade.jax.lax import base, convert
from simulator.facade.jax.lax.shapes import broadcast_shapes
from simulator.types import dtypes

_c = base.const

_NOTHING = ("and", "or", "xor", "shift_left", "shift_right_arithmetic", "shift_right_logical",
            "eq", "ne", "ge", "gt", "le", "lt", "eq_to", "le_to", "lt_to", "bitcast_convert_type")


def _add(primals: list, tangents: list) -> tuple:
    (x, y), (dx, dy) = primals, tangents
    out = lax.add(x, y)
    if is_zero(dx) and is_zero(dy):
        return out, zero_of(out)
    if is_zero(dx) or is_zero(dy):
        return out, maybe_broadcast(out, dy if is_zero(dx) else dx)
    return out, lax.add(dx, dy)


def _sub(primals: list, tangents: list) -> tuple:
    (x, y), (dx, dy) = primals, tangents
    out = lax.sub(x, y)
    if is_zero(dx) and is_zero(dy):
        return out, zero_of(out)
    if is_zero(dx):
        return out, maybe_broadcast(out, lax.neg(dy))
    if is_zero(dy):
        return out, maybe_broadcast(out, dx)
    return out, lax.sub(dx, dy)


def _add_transpose(t: Any, x: Any, y: Any) -> list:
    avals = [tangent_aval(aval_of(x)), tangent_aval(aval_of(y))]
    return list(map(Zero, avals)) if is_zero(t) else [unbroadcast(a, t) for a in avals]


def _sub_transpose(t: Any, x: Any, y: Any) -> list:
    if is_zero(t):
        return [Zero(aval_of(x)), Zero(aval_of(y))]
    return [unbroadcast(aval_of(x), t), unbroadcast(aval_of(y), lax.neg(t))]


def _mul_left(t: Any, x: Any, y: Any, **params: Any) -> Any:
    return unbroadcast(x.aval, lax.mul(t, y, **_typed(params, x)))


def _mul_right(t: Any, x: Any, y: Any, **params: Any) -> Any:
    return unbroadcast(y.aval, lax.mul(x, t, **_typed(params, y)))


def _typed(params: dict, operand: Any) -> dict:
    return {} if params.get("out_dtype") is None else {"out_dtype": operand.aval.dtype}


def _shape(params: dict) -> dict:
    return {} if params.get("out_dtype") is None else params


def _div_transpose(t: Any, x: Any, y: Any) -> list:
    if is_unknown(y):
        raise RuntimeError("nonlinear div can't be transposed")
    return [unbroadcast(x.aval, lax.div(t, y)), None]


def _pow_base(g: Any, out: Any, x: Any, y: Any) -> Any:
    from simulator.facade.jax import numpy as jnp
    y_dtype = base.dtype(y)
    result = jnp.result_type(x, y)
    x, y = lax.convert_element_type(x, result), lax.convert_element_type(y, result)
    if y_dtype.family in "iu":
        if base.shape(x) != base.shape(y):
            wanted = aval_of(out)
            x, y = broadcast_to(wanted, x), broadcast_to(wanted, y)
        slope = lax.select(lax.eq(y, _c(y, 0)), zeros(y),
                           lax.mul(replace_zero(y), lax.pow(x, lax.sub(y, ones(y)))))
    else:
        slope = lax.mul(y, lax.pow(x, lax.sub(y, ones(y))))
    return lax.mul(g, slope)


def _pow_exponent(g: Any, out: Any, x: Any, y: Any) -> Any:
    return lax.convert_element_type(
        lax.mul(g, lax.mul(lax.log(replace_zero(x)), out)), base.dtype(y))


def _rem_left(g: Any, x: Any, y: Any) -> Any:
    shape = broadcast_shapes(base.shape(x), base.shape(y))
    return broadcast_to(aval_of(x).update(shape=shape), g)


def _rem_right(g: Any, x: Any, y: Any) -> Any:
    return lax.mul(lax.neg(g), lax.mul(lax.sign(lax.div(x, y)), lax.floor(lax.abs(lax.div(x, y)))))


def _convert(g: Any, out: Any, x: Any, *, new_dtype: Any, weak_type: bool, sharding: Any) -> Any:
    if tangent_dtype(new_dtype) is dtypes.float0:
        return zero_of(out)
    return convert.convert_element_type_p.bind(g, new_dtype=new_dtype, weak_type=weak_type,
                                               sharding=sharding)


def _convert_transpose(t: Any, x: Any, **params: Any) -> list:
    aval = x.aval
    if tangent_dtype(aval.dtype) is dtypes.float0:
        return [Zero(aval.update(dtype=dtypes.float0, weak_type=False))]
    return [convert.convert_element_type_p.bind(t, new_dtype=aval.dtype, weak_type=aval.weak_type,
                                                sharding=aval.sharding)]


def _dot_left(t: Any, x: Any, y: Any, *, dimension_numbers: Any, swap: bool = False,
              **params: Any) -> Any:
    (x_contract, y_contract), (x_batch, y_batch) = dimension_numbers
    x_kept = [i for i in range(len(x.aval.shape)) if i not in (*x_contract, *x_batch)]
    y_kept = [i for i in range(base.ndim(y)) if i not in (*y_contract, *y_batch)]
    batch = list(range(len(x_batch)))
    before = len(x_batch) + (0 if swap else len(x_kept))
    dims = ((list(range(before, before + len(y_kept))), y_kept), (batch, y_batch))
    by_y = [x_contract[i] for i in argsort(y_contract)]
    order = [*x_batch, *x_kept, *by_y]
    aval = x.aval
    sharding = base.sharding_of(aval)
    if sharding is not None:
        sharding = base.sharding_of(aval.update(
            shape=tuple(aval.shape[i] for i in order),
            spec=tuple(aval.spec[i] for i in order)))
    out = lax.dot_general(t, y, dims, precision=params["precision"],
                          preferred_element_type=params["preferred_element_type"],
                          out_sharding=sharding)
    out = lax.transpose(out, argsort(order))
    if base.dtype(out) is not aval.dtype:
        out = convert.convert(out, aval.dtype, aval.weak_type)
    return out


def _dot_right(t: Any, x: Any, y: Any, *, dimension_numbers: Any, **params: Any) -> Any:
    (x_contract, y_contract), (x_batch, y_batch) = dimension_numbers
    return _dot_left(t, y, x, dimension_numbers=((y_contract, x_contract), (y_batch, x_batch)),
                     swap=True, **params)


def _set(name: str, *rules: Any, with_result: bool = False) -> None:
    p = primitive(name)
    p.jvp = jvp.standard(p, *rules, with_result=with_result)


for _name in _NOTHING:
    primitive(_name).jvp = jvp.vanishing(primitive(_name))
primitive("add").jvp, primitive("add").transpose = _add, _add_transpose
primitive("sub").jvp, primitive("sub").transpose = _sub, _sub_transpose
_set("mul", lambda g, x, y, **p: lax.mul(g, y, **_shape(p)),
     lambda g, x, y, **p: lax.mul(x, g, **_shape(p)))
bilinear("mul", _mul_left, _mul_right)
_set("div", lambda g, x, y: lax.div(g, y),
     lambda g, x, y: lax.mul(lax.mul(lax.neg(g), x), lax.integer_pow(y, -2)))
primitive("div").transpose = nonzero(_div_transpose)
_set("rem", _rem_left, _rem_right)
_set("pow", _pow_base, _pow_exponent, with_result=True)
for _name in ("max", "min"):
    _set(_name, lambda g, z, x, y: lax.mul(g, balanced_eq(x, z, y)),
         lambda g, z, x, y: lax.mul(g, balanced_eq(y, z, x)), with_result=True)
_set("atan2", lambda g, x, y: lax.mul(g, lax.div(y, lax.add(lax.square(x), lax.square(y)))),
     lambda g, x, y: lax.mul(g, lax.div(lax.neg(x), lax.add(lax.square(x), lax.square(y)))))
_set("convert_element_type", _convert, with_result=True)
primitive("convert_element_type").transpose = nonzero(_convert_transpose)
_dot = primitive("dot_general")
_set("dot_general", lambda g, x, y, **p: _dot.bind(g, y, **p),
     lambda g, x, y, **p: _dot.bind(x, g, **p))
bilinear("dot_general", _dot_left, _dot_right)
primitive("add_any").jvp = jvp.linear(primitive("add_any"))
primitive("add_any").transpose = nonzero(lambda t, x, y: (t, t))
