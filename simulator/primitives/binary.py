"""Elementwise primitives of two operands: arithmetic, bits, comparisons.

Operands have equal ranks and dtypes (jnp functions see to that).

JAX source: jax/_src/lax/lax.py: add_p, mul_p, pow_p, eq_p ...;
jax/_src/ad_util.py: add_any_p.
"""

from __future__ import annotations

import math
import operator
import struct

from simulator.ndarrays import real_math as rm
from simulator.ndarrays.ndarray import NDArray
from simulator.primitives.core import Primitive
from simulator.primitives.rules import ANY, BOOL_OR_INT, FLOAT, INT, NUM, ORDERED, nary, takes_dtype
from simulator.types import dtype_core as dt
from simulator.types.avals import ShapedArray
from simulator.types.rounding import int_range, normalize

COMPLEX_PARTS = ("float32", "float64")
INEXACT = ("floating", "complexfloating")


@takes_dtype
def _div(d):
    if d.family not in "iu":
        return rm.div
    low, high = int_range(d)

    def div(x, y):
        # Division by zero gives all ones, and the lone overflow wraps.
        if y == 0:
            return -1 if d.family == "i" else high
        q = abs(x) // abs(y)
        return q if (x < 0) == (y < 0) else -q
    return div


@takes_dtype
def _rem(d):
    if d.family == "f":
        return rm.fmod

    def rem(x, y):
        if y == 0:
            return x
        r = abs(x) % abs(y)
        return -r if x < 0 else r
    return rem


@takes_dtype
def _shift_left(d):
    bits = d.bits
    return lambda x, y: x << y if 0 <= y < bits else 0


@takes_dtype
def _shift_right_arithmetic(d):
    bits = d.bits
    high = int_range(d)[1]

    def shift(x, y):
        if d.family == "u" and x > high >> 1:
            # The operation is on the bits: an unsigned number counts as negative.
            x -= 1 << bits
        return x >> y if 0 <= y < bits else (-1 if x < 0 else 0)
    return shift


@takes_dtype
def _shift_right_logical(d):
    bits, mask = d.bits, (1 << d.bits) - 1
    return lambda x, y: (x & mask) >> y if 0 <= y < bits else 0


@takes_dtype
def _nextafter(d):
    if d is dt.float64:
        return math.nextafter
    size, code = (4, "I") if d is dt.float32 else (2, "H")

    def bits(x):
        if d is dt.bfloat16:
            return struct.unpack("<I", struct.pack("<f", x))[0] >> 16
        return struct.unpack("<" + code, struct.pack("<f" if size == 4 else "<e", x))[0]

    def number(b):
        if d is dt.bfloat16:
            return struct.unpack("<f", struct.pack("<I", b << 16))[0]
        return struct.unpack("<f" if size == 4 else "<e", struct.pack("<" + code, b))[0]

    sign_bit = 1 << (8 * size - 1)

    def after(x, y):
        if x != x or y != y:
            return math.nan
        if x == y:
            return y
        if x == 0.0:
            return math.copysign(number(1), y)
        b = bits(x)
        up = (y > x) == (x > 0)
        return number((b & ~sign_bit) + (1 if up else -1) | b & sign_bit)
    return after


def _atan2(y, x):
    if type(y) is not complex:
        return math.atan2(y, x)
    # -i log((x + iy) / sqrt(x^2 + y^2))
    return -1j * rm.clog(rm.div(x + 1j * y, rm.csqrt(x * x + y * y)))


def _show_mul(params):
    return {k: v for k, v in params.items() if v is not None}


add_p = nary("add", operator.add, [NUM, NUM])
sub_p = nary("sub", operator.sub, [NUM, NUM])
mul_p = nary("mul", operator.mul, [NUM, NUM], print_params=_show_mul)
div_p = nary("div", _div, [NUM, NUM])
rem_p = nary("rem", _rem, [INT + FLOAT, INT + FLOAT])
max_p = nary("max", rm.maximum, [ANY, ANY])
min_p = nary("min", rm.minimum, [ANY, ANY])
atan2_p = nary("atan2", _atan2, [INEXACT, INEXACT])
nextafter_p = nary("nextafter", _nextafter, [FLOAT, FLOAT])
complex_p = nary("complex", complex, [COMPLEX_PARTS, COMPLEX_PARTS],
                 result=lambda x, y, **params: dt.complex_of(x.dtype))

and_p = nary("and", operator.and_, [BOOL_OR_INT, BOOL_OR_INT])
or_p = nary("or", operator.or_, [BOOL_OR_INT, BOOL_OR_INT])
xor_p = nary("xor", operator.xor, [BOOL_OR_INT, BOOL_OR_INT])
shift_left_p = nary("shift_left", _shift_left, [INT, INT])
shift_right_logical_p = nary("shift_right_logical", _shift_right_logical, [INT, INT])
shift_right_arithmetic_p = nary("shift_right_arithmetic", _shift_right_arithmetic, [INT, INT])


def _pow_dtype(x, y, **params):
    if x.dtype.family in "fc" and y.dtype.family in "iu" or x.dtype is y.dtype:
        return x.dtype
    raise TypeError("the first argument to pow must have an inexact dtype (float or complex), "
                    "and the second argument must have an inexact or integer dtype, and two "
                    f"inexact dtypes must match, but got {x.dtype} and {y.dtype} respectively.")


def _power(x, y):
    if type(y) is int:
        y = complex(y) if type(x) is complex else float(y)
    return rm.power(x, y)


pow_p = nary("pow", _power, [INEXACT, NUM], result=_pow_dtype, same=False)


def _compare(name, fn, kinds, keys=False):
    return nary(name, fn, [kinds, kinds], result=lambda *ops, **params: dt.bool_, keys=keys)


eq_p = _compare("eq", operator.eq, ANY, keys=True)
ne_p = _compare("ne", operator.ne, ANY, keys=True)
lt_p = _compare("lt", operator.lt, ORDERED)
le_p = _compare("le", operator.le, ORDERED)
gt_p = _compare("gt", operator.gt, ORDERED)
ge_p = _compare("ge", operator.ge, ORDERED)


def _total(x):
    """A key that orders floats totally: -0 before 0, NaN last."""
    if x != x:
        return (1, 0.0, 0)
    return (0, x, 0 if type(x) is float and x == 0.0 and math.copysign(1.0, x) < 0 else 1)


eq_to_p = _compare("eq_to", lambda x, y: _total(x) == _total(y), ANY)
lt_to_p = _compare("lt_to", lambda x, y: _total(x) < _total(y), ORDERED)
le_to_p = _compare("le_to", lambda x, y: _total(x) <= _total(y), ORDERED)


def _add_any_aval(x, y) -> ShapedArray:
    return x


def _add_any(x: NDArray, y: NDArray) -> NDArray:
    d = x.dtype
    return NDArray.lazy(x.shape, d, lambda v, w: normalize(list(map(operator.add, v, w)), d),
                        [x, y])


add_any_p = Primitive("add_any", abstract=_add_any_aval, impl=_add_any)
add_any_p.lowered = lambda params: ("add", params)
