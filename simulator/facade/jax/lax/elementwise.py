"""``jax.lax`` functions that apply one elementwise primitive.

They do not promote: operands must have equal dtypes, and equal shapes or be
scalars.

JAX source: ``jax/_src/lax/lax.py: neg, sin, add, eq …``; ``jax/_src/lax/special.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.device_arrays.literals import TypedNdArray
from simulator.device_arrays.typed_scalars import typed
from simulator.facade.jax.lax import base
from simulator.ndarrays.ndarray import asarray
from simulator.primitives import binary as b
from simulator.primitives import selection
from simulator.primitives import unary as u
from simulator.primitives.unary import RoundingMethod
from simulator.types.scalar_types import Generic


def _named(fun: Callable, name: str) -> Callable:
    fun.__name__ = fun.__qualname__ = name
    fun.__module__ = "jax.lax"
    fun.__doc__ = f"``jax.lax.{name}``."
    return fun


def _unary(name: str, primitive: Any) -> Callable:
    def fun(x: Any) -> Any:
        return primitive.bind(x)
    return _named(fun, name)


def _with_accuracy(name: str, primitive: Any) -> Callable:
    def fun(x: Any, *, accuracy: Any = None) -> Any:
        return primitive.bind(x, accuracy=accuracy)
    return _named(fun, name)


def _binary(name: str, primitive: Any) -> Callable:
    def fun(x: Any, y: Any) -> Any:
        return primitive.bind(x, y)
    return _named(fun, name)


neg = _unary("neg", u.neg_p)
sign = _unary("sign", u.sign_p)
floor = _unary("floor", u.floor_p)
ceil = _unary("ceil", u.ceil_p)
is_finite = _unary("is_finite", u.is_finite_p)
real = _unary("real", u.real_p)
imag = _unary("imag", u.imag_p)
abs = _unary("abs", u.abs_p)
square = _unary("square", u.square_p)
bitwise_not = _unary("bitwise_not", u.not_p)
population_count = _unary("population_count", u.population_count_p)
clz = _unary("clz", u.clz_p)
asin, acos, atan = (_unary(n, p) for n, p in (
    ("asin", u.asin_p), ("acos", u.acos_p), ("atan", u.atan_p)))
sinh, cosh = _unary("sinh", u.sinh_p), _unary("cosh", u.cosh_p)
asinh, acosh, atanh = (_unary(n, p) for n, p in (
    ("asinh", u.asinh_p), ("acosh", u.acosh_p), ("atanh", u.atanh_p)))
erf, erfc, erf_inv = (_unary(n, p) for n, p in (
    ("erf", u.erf_p), ("erfc", u.erfc_p), ("erf_inv", u.erf_inv_p)))
lgamma, digamma = _unary("lgamma", u.lgamma_p), _unary("digamma", u.digamma_p)
bessel_i0e = _unary("bessel_i0e", u.bessel_i0e_p)
bessel_i1e = _unary("bessel_i1e", u.bessel_i1e_p)

exp, exp2, expm1, log, log1p = (_with_accuracy(n, p) for n, p in (
    ("exp", u.exp_p), ("exp2", u.exp2_p), ("expm1", u.expm1_p), ("log", u.log_p),
    ("log1p", u.log1p_p)))
tanh, logistic, sin, cos, tan = (_with_accuracy(n, p) for n, p in (
    ("tanh", u.tanh_p), ("logistic", u.logistic_p), ("sin", u.sin_p), ("cos", u.cos_p),
    ("tan", u.tan_p)))
sqrt, rsqrt, cbrt = (_with_accuracy(n, p) for n, p in (
    ("sqrt", u.sqrt_p), ("rsqrt", u.rsqrt_p), ("cbrt", u.cbrt_p)))

add, sub, div, rem = (_binary(n, p) for n, p in (
    ("add", b.add_p), ("sub", b.sub_p), ("div", b.div_p), ("rem", b.rem_p)))
max, min, atan2, pow = (_binary(n, p) for n, p in (
    ("max", b.max_p), ("min", b.min_p), ("atan2", b.atan2_p), ("pow", b.pow_p)))
complex, nextafter = _binary("complex", b.complex_p), _binary("nextafter", b.nextafter_p)
bitwise_and, bitwise_or, bitwise_xor = (_binary(n, p) for n, p in (
    ("bitwise_and", b.and_p), ("bitwise_or", b.or_p), ("bitwise_xor", b.xor_p)))
shift_left = _binary("shift_left", b.shift_left_p)
shift_right_arithmetic = _binary("shift_right_arithmetic", b.shift_right_arithmetic_p)
shift_right_logical = _binary("shift_right_logical", b.shift_right_logical_p)
eq, ne, ge, gt, le, lt = (_binary(n, p) for n, p in (
    ("eq", b.eq_p), ("ne", b.ne_p), ("ge", b.ge_p), ("gt", b.gt_p), ("le", b.le_p),
    ("lt", b.lt_p)))


def mul(x: Any, y: Any, *, out_dtype: Any = None) -> Any:
    """``jax.lax.mul``."""
    return b.mul_p.bind(x, y, out_dtype=out_dtype)


def conj(x: Any) -> Any:
    """``jax.lax.conj``."""
    return u.conj_p.bind(x, input_dtype=base.dtype(x))


def integer_pow(x: Any, y: int) -> Any:
    """``jax.lax.integer_pow``."""
    return u.integer_pow_p.bind(x, y=y)


def reciprocal(x: Any) -> Any:
    """``jax.lax.reciprocal``."""
    return integer_pow(x, -1)


def round(x: Any, rounding_method: RoundingMethod = RoundingMethod.AWAY_FROM_ZERO) -> Any:
    """``jax.lax.round``."""
    return u.round_p.bind(x, rounding_method=RoundingMethod(rounding_method))


def reduce_precision(operand: Any, exponent_bits: int, mantissa_bits: int) -> Any:
    """``jax.lax.reduce_precision``."""
    import operator
    exponent_bits = base.concrete(operator.index, exponent_bits,
                                  "exponent_bits argument of lax.reduce_precision")
    mantissa_bits = base.concrete(operator.index, mantissa_bits,
                                  "mantissa_bits argument of lax.reduce_precision")
    return u.reduce_precision_p.bind(operand, exponent_bits=exponent_bits,
                                     mantissa_bits=mantissa_bits)


def clamp(min: Any, x: Any, max: Any) -> Any:
    """``jax.lax.clamp``."""
    return selection.clamp_p.bind(min, x, max)


def select(pred: Any, on_true: Any, on_false: Any) -> Any:
    """``jax.lax.select``: elementwise choice; no broadcasting."""
    return selection.select_n_p.bind(pred, on_false, on_true)


def select_n(which: Any, *cases: Any) -> Any:
    """``jax.lax.select_n``. ValueError without a case."""
    if not cases:
        raise ValueError("select_n() must have at least one case")
    return selection.select_n_p.bind(which, *cases)


def stop_gradient(x: Any) -> Any:
    """``jax.lax.stop_gradient``, on every leaf of a pytree."""
    from simulator.trees import pytrees
    return pytrees.tree_map(
        lambda leaf: leaf if base.typeof(leaf).dtype.family == "k"
        else u.stop_gradient_p.bind(leaf), x)


def handed_back(x: Any) -> Any:
    """What is no array yet gets its type, and is otherwise the value it was."""
    if isinstance(x, (*base.ARRAYS, TypedNdArray, bool)):
        return x
    dtype = base.dtype(x)
    if isinstance(x, base.SCALARS) and not isinstance(x, Generic):
        return typed(x, dtype)
    return TypedNdArray.of(asarray(x, dtype))


u.stop_gradient_p.eager = handed_back


def isnan(x: Any) -> Any:
    """Elementwise: a number that differs from itself."""
    return ne(x, x)
