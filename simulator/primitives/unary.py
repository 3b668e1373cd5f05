"""Elementwise primitives of one operand.

JAX source: jax/_src/lax/lax.py: neg_p, sin_p, integer_pow_p ...;
jax/_src/lax/special.py: erf_p, lgamma_p ...
"""

from __future__ import annotations

import enum
import math
import operator

from simulator.ndarrays import real_math as rm
from simulator.ndarrays import special_functions as sf
from simulator.primitives.rules import (
    ANY,
    BOOL_OR_INT,
    COMPLEX,
    FLOAT,
    INT,
    NUM,
    SIGNED,
    same_shape,
    same_spec,
    unary,
    unary_dtype,
)
from simulator.primitives.standard import standard
from simulator.types import dtype_core as dt
from simulator.types.rounding import normalize

INEXACT = FLOAT + COMPLEX


class RoundingMethod(enum.IntEnum):
    """How `round` treats halves."""

    AWAY_FROM_ZERO = 0
    TO_NEAREST_EVEN = 1


neg_p = unary("neg", operator.neg, NUM)
sign_p = unary("sign", rm.sign, NUM)
abs_p = unary("abs", abs, SIGNED + INEXACT, result=dt.real_part)
floor_p = unary("floor", rm.floor, FLOAT)
ceil_p = unary("ceil", rm.ceil, FLOAT)
square_p = unary("square", lambda x: x * x, NUM)
not_p = unary("not", {"b": operator.not_, "iu": operator.invert}, BOOL_OR_INT)
is_finite_p = unary("is_finite", math.isfinite, FLOAT, result=lambda d: dt.bool_)
real_p = unary("real", lambda z: z.real, COMPLEX, result=dt.real_part)
imag_p = unary("imag", lambda z: z.imag, COMPLEX, result=dt.real_part)
conj_p = unary("conj", lambda z: z.conjugate() if isinstance(z, complex) else complex(z, 0.0),
               ("float32", "float64") + COMPLEX, result=dt.complex_of)
stop_gradient_p = unary("stop_gradient", lambda x: x, ANY)

# These carry an `accuracy` parameter, which jaxprs show only when it is set.
exp_p = unary("exp", rm.exp, INEXACT)
exp2_p = unary("exp2", rm.exp2, INEXACT)
expm1_p = unary("expm1", rm.expm1, INEXACT)
log_p = unary("log", rm.log_any, INEXACT)
log1p_p = unary("log1p", rm.log1p_any, INEXACT)
tanh_p = unary("tanh", rm.tanh, INEXACT)
logistic_p = unary("logistic", rm.logistic, INEXACT)
sin_p = unary("sin", rm.sin, INEXACT)
cos_p = unary("cos", rm.cos, INEXACT)
tan_p = unary("tan", rm.tan, INEXACT)
sqrt_p = unary("sqrt", rm.sqrt_any, INEXACT)
rsqrt_p = unary("rsqrt", rm.rsqrt, INEXACT)
cbrt_p = unary("cbrt", math.cbrt, FLOAT)

asin_p = unary("asin", rm.asin, INEXACT)
acos_p = unary("acos", rm.acos, INEXACT)
atan_p = unary("atan", rm.atan, INEXACT)
sinh_p = unary("sinh", rm.sinh_any, INEXACT)
cosh_p = unary("cosh", rm.cosh_any, INEXACT)
asinh_p = unary("asinh", rm.asinh, INEXACT)
acosh_p = unary("acosh", rm.acosh, INEXACT)
atanh_p = unary("atanh", rm.atanh_any, INEXACT)

erf_p = unary("erf", math.erf, FLOAT)
erfc_p = unary("erfc", math.erfc, FLOAT)
erf_inv_p = unary("erf_inv", sf.erf_inv, FLOAT)
lgamma_p = unary("lgamma", sf.lgamma, FLOAT)
digamma_p = unary("digamma", sf.digamma, FLOAT)
bessel_i0e_p = unary("bessel_i0e", sf.bessel_i0e, FLOAT)
bessel_i1e_p = unary("bessel_i1e", sf.bessel_i1e, FLOAT)


def _count_bits(ins, out, values):
    mask = (1 << out.dtype.bits) - 1
    return [(v & mask).bit_count() for v in values]


def _leading_zeros(ins, out, values):
    bits = out.dtype.bits
    mask = (1 << bits) - 1
    return [bits - (v & mask).bit_length() for v in values]


population_count_p = standard("population_count", same_shape,
                              unary_dtype(lambda d: d, INT, "population_count"), _count_bits,
                              spec=same_spec)
clz_p = standard("clz", same_shape, unary_dtype(lambda d: d, INT, "clz"), _leading_zeros,
                 spec=same_spec)


def _round(ins, out, values, *, rounding_method):
    even = int(rounding_method) == RoundingMethod.TO_NEAREST_EVEN
    return list(map(rm.round_even if even else rm.round_away, values))


round_p = standard("round", same_shape, unary_dtype(lambda d: d, FLOAT, "round"), _round,
                   spec=same_spec)


def _integer_pow_dtype(x, *, y):
    dtype = unary_dtype(lambda d: d, NUM, "integer_pow")(x)
    if y < 0 and dtype.family in "iu":
        raise TypeError("Integers cannot be raised to negative powers, got "
                        f"integer_pow({x}, {y})")
    return dtype


def _integer_pow(ins, out, values, *, y):
    # Repeated squaring, rounded at each step as XLA's multiplications are.
    d = out.dtype
    one = {"f": 1.0, "c": 1 + 0j}.get(d.family, 1)
    acc, base, n = None, values, abs(y)
    while n:
        if n & 1:
            acc = base if acc is None else normalize([a * b for a, b in zip(acc, base)], d)
        n >>= 1
        if n:
            base = normalize([b * b for b in base], d)
    if acc is None:
        return [one] * len(values)
    return normalize([rm.div(one, a) for a in acc], d) if y < 0 else acc


integer_pow_p = standard("integer_pow", same_shape, _integer_pow_dtype, _integer_pow,
                         spec=same_spec)


def _reduce_precision_shape(operand, *, exponent_bits, mantissa_bits):
    if exponent_bits.__index__() < 1:
        raise ValueError("reduce_precision: exponent_bits must be positive; "
                         f"got {exponent_bits}")
    if mantissa_bits.__index__() < 0:
        raise ValueError("reduce_precision: mantissa_bits must be non-negative; "
                         f"got {mantissa_bits}")
    return operand.shape


reduce_precision_p = standard(
    "reduce_precision", _reduce_precision_shape,
    unary_dtype(lambda d: d, FLOAT, "reduce_precision"),
    lambda ins, out, values, *, exponent_bits, mantissa_bits: [
        sf.reduce_precision(v, exponent_bits, mantissa_bits) for v in values],
    spec=same_spec)
