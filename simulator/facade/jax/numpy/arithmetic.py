"""``jax.numpy`` functions of two arrays: arithmetic, comparison, logic, bits.

JAX source: ``jax/_src/numpy/ufuncs.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from simulator.api import jit
from simulator.facade.jax.lax import base, shapes
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.numpy import reductions
from simulator.facade.jax.numpy.cumulating import cumprod, cumsum
from simulator.facade.jax.numpy.predicates import isposinf, signbit
from simulator.facade.jax.numpy.ufuncs import binary_ufunc
from simulator.facade.jax.numpy.util import (
    _where,
    ensure_arrays,
    like,
    promote_args,
    promote_args_inexact,
    promote_args_numeric,
    promote_inexact,
    result_type,
)


def _jitted(name: str, promote: Callable, operation: Callable, names: str = "xy") -> Any:
    """A jitted, inlined function: promote, apply one lax operation."""
    def by_letters(x, y, /):
        return operation(*promote(name, x, y))

    def by_numbers(x1, x2, /):
        return operation(*promote(name, x1, x2))

    fun = by_letters if names == "xy" else by_numbers
    fun.__name__ = fun.__qualname__ = name
    fun.__module__ = "jax.numpy"
    fun.__doc__ = f"``jax.numpy.{name}``."
    return jit(fun, inline=True)


def _bool(x: Any) -> Any:
    return x if x.dtype.family == "b" else el.ne(x, base.const(x, 0))


@binary_ufunc(identity=0, reduce=reductions.sum, accumulate=cumsum)
def add(x, y, /):
    """``jax.numpy.add``; for booleans, or."""
    x, y = promote_args("add", x, y)
    return el.bitwise_or(x, y) if x.dtype.family == "b" else el.add(x, y)


@binary_ufunc(identity=1, reduce=reductions.prod, accumulate=cumprod)
def multiply(x, y, /):
    """``jax.numpy.multiply``; for booleans, and."""
    x, y = promote_args("multiply", x, y)
    return el.bitwise_and(x, y) if x.dtype.family == "b" else el.mul(x, y)


@binary_ufunc(identity=None)
def subtract(x, y, /):
    """``jax.numpy.subtract``."""
    return el.sub(*promote_args("subtract", x, y))


@binary_ufunc(identity=-1, reduce=reductions.reduce_bitwise_and)
def bitwise_and(x, y, /):
    """``jax.numpy.bitwise_and``."""
    return el.bitwise_and(*promote_args("bitwise_and", x, y))


@binary_ufunc(identity=0, reduce=reductions.reduce_bitwise_or)
def bitwise_or(x, y, /):
    """``jax.numpy.bitwise_or``."""
    return el.bitwise_or(*promote_args("bitwise_or", x, y))


@binary_ufunc(identity=0, reduce=reductions.reduce_bitwise_xor)
def bitwise_xor(x, y, /):
    """``jax.numpy.bitwise_xor``."""
    return el.bitwise_xor(*promote_args("bitwise_xor", x, y))


@binary_ufunc(identity=None, reduce=reductions._reduce_min)
def minimum(x, y, /):
    """``jax.numpy.minimum``."""
    return el.min(*promote_args("minimum", x, y))


@binary_ufunc(identity=None, reduce=reductions._reduce_max)
def maximum(x, y, /):
    """``jax.numpy.maximum``."""
    return el.max(*promote_args("maximum", x, y))


@binary_ufunc(identity=True, reduce=reductions.reduce_logical_and)
def logical_and(x, y, /):
    """``jax.numpy.logical_and``."""
    return el.bitwise_and(*map(_bool, promote_args("logical_and", x, y)))


@binary_ufunc(identity=False, reduce=reductions.reduce_logical_or)
def logical_or(x, y, /):
    """``jax.numpy.logical_or``."""
    return el.bitwise_or(*map(_bool, promote_args("logical_or", x, y)))


@binary_ufunc(identity=False, reduce=reductions.reduce_logical_xor)
def logical_xor(x, y, /):
    """``jax.numpy.logical_xor``."""
    return el.bitwise_xor(*map(_bool, promote_args("logical_xor", x, y)))


@jit(inline=True)
def logical_not(x, /):
    """``jax.numpy.logical_not``."""
    return el.bitwise_not(*map(_bool, promote_args("logical_not", x)))


left_shift = _jitted("left_shift", promote_args_numeric, el.shift_left)
bitwise_left_shift = _jitted("bitwise_left_shift", promote_args_numeric, el.shift_left)
equal = _jitted("equal", promote_args, el.eq)
not_equal = _jitted("not_equal", promote_args, el.ne)
float_power = _jitted("float_power", promote_args_inexact, el.pow)
nextafter = _jitted("nextafter", promote_args_inexact, el.nextafter)
arctan2 = _jitted("arctan2", promote_args_inexact, el.atan2, names="x1x2")
atan2 = _jitted("atan2", promote_args, arctan2, names="x1x2")


def _ordered(operation: Callable) -> Callable:
    # Complex numbers are ordered by real, then imaginary part.
    def compare(x, y):
        if x.dtype.family == "c":
            return el.select(el.eq(x.real, y.real), operation(x.imag, y.imag),
                             operation(x.real, y.real))
        return operation(x, y)
    return compare


greater_equal = _jitted("greater_equal", promote_args, _ordered(el.ge))
greater = _jitted("greater", promote_args, _ordered(el.gt))
less_equal = _jitted("less_equal", promote_args, _ordered(el.le))
less = _jitted("less", promote_args, _ordered(el.lt))


@jit(inline=True)
def right_shift(x1, x2, /):
    """``jax.numpy.right_shift``."""
    x1, x2 = promote_args_numeric("right_shift", x1, x2)
    logical = x1.dtype.family == "u"
    return (el.shift_right_logical if logical else el.shift_right_arithmetic)(x1, x2)


@jit(inline=True)
def bitwise_right_shift(x1, x2, /):
    """``jax.numpy.bitwise_right_shift``."""
    return right_shift(x1, x2)


@jit
def copysign(x1, x2, /):
    """``jax.numpy.copysign``."""
    x1, x2 = promote_args_inexact("copysign", x1, x2)
    if x1.dtype.family == "c":
        raise TypeError("copysign does not support complex-valued inputs")
    return _where(signbit(x2).astype(bool), -el.abs(x1), el.abs(x1))


@jit(inline=True)
def true_divide(x1, x2, /):
    """``jax.numpy.true_divide``."""
    x1, x2 = promote_args_inexact("true_divide", x1, x2)
    return el.div(x1, x2)


def divide(x1, x2, /):
    """``jax.numpy.divide``."""
    return true_divide(x1, x2)


@jit
def floor_divide(x1, x2, /):
    """``jax.numpy.floor_divide``. TypeError for complex numbers."""
    x1, x2 = promote_args_numeric("floor_divide", x1, x2)
    family = x1.dtype.family
    if family == "u":
        return el.div(x1, x2)
    if family == "i":
        quotient = el.div(x1, x2)
        select = logical_and(el.sign(x1) != el.sign(x2), el.rem(x1, x2) != 0)
        return _where(select, quotient - 1, quotient)
    if family == "c":
        raise TypeError("floor_divide does not support complex-valued inputs")
    return _float_divmod(x1, x2)[0]


@jit
def divmod(x1, x2, /):
    """``jax.numpy.divmod``."""
    x1, x2 = promote_args_numeric("divmod", x1, x2)
    if x1.dtype.family in "iu":
        return floor_divide(x1, x2), remainder(x1, x2)
    return _float_divmod(x1, x2)


def _float_divmod(x1: Any, x2: Any) -> tuple:
    mod = el.rem(x1, x2)
    div = el.div(_where(x2 == 0, x1, el.sub(x1, mod)), x2)
    wrong = el.bitwise_and(mod != 0, el.sign(x2) != el.sign(mod))
    mod = el.select(wrong, mod + x2, mod)
    div = el.select(wrong, div - 1.0, div)
    return el.round(div), mod


@jit
def remainder(x1, x2, /):
    """``jax.numpy.remainder``: the sign of the divisor."""
    x1, x2 = promote_args_numeric("remainder", x1, x2)
    zero = like(x1, 0)
    if x2.dtype.family in "iu":
        x2 = _where(x2 == 0, shapes.ones_like(x2), x2)
    mod = el.rem(x1, x2)
    not_zero = el.ne(mod, zero)
    plus = el.bitwise_and(el.ne(el.lt(mod, zero), el.lt(x2, zero)), not_zero)
    return el.select(plus, el.add(mod, x2), mod)


def mod(x1, x2, /):
    """``jax.numpy.mod``."""
    return remainder(x1, x2)


@jit
def fmod(x1, x2, /):
    """``jax.numpy.fmod``: the sign of the dividend."""
    x1, x2 = ensure_arrays("fmod", x1, x2)
    if result_type(x1, x2)[0].family in "iu":
        x2 = _where(x2 == 0, shapes.ones_like(x2), x2)
    return el.rem(*promote_args_numeric("fmod", x1, x2))


@jit
def heaviside(x1, x2, /):
    """``jax.numpy.heaviside``."""
    x1, x2 = ensure_arrays("heaviside", x1, x2)
    x1, x2 = promote_inexact(x1, x2)
    zero = base.const(x1, 0)
    return _where(el.lt(x1, zero), zero,
                  _where(el.gt(x1, zero), base.const(x1, 1), _where(el.isnan(x1), x1, x2)))


@jit
def hypot(x1, x2, /):
    """``jax.numpy.hypot``. ValueError for complex numbers."""
    x1, x2 = promote_args_inexact("hypot", x1, x2)
    if x1.dtype.family == "c":
        raise ValueError("jnp.hypot is not well defined for complex-valued inputs. Please convert "
                         "to real values first, such as by using abs(x)")
    x1, x2 = el.abs(x1), el.abs(x2)
    infinite = el.bitwise_or(isposinf(x1), isposinf(x2))
    x1, x2 = maximum(x1, x2), minimum(x1, x2)
    x = _where(x1 == 0, x1,
               x1 * el.sqrt(1 + el.square(el.div(
                   x2, _where(x1 == 0, shapes.ones_like(x1), x1)))))
    return _where(infinite, base.const(x, math.inf), x)


@jit
def fmin(x1, x2):
    """``jax.numpy.fmin``: ignores NaN."""
    return _ignoring_nan(less, x1, x2)


@jit
def fmax(x1, x2):
    """``jax.numpy.fmax``: ignores NaN."""
    return _ignoring_nan(greater, x1, x2)


def _ignoring_nan(compare: Callable, x1: Any, x2: Any) -> Any:
    from simulator.facade.jax.numpy.choosing import where
    from simulator.facade.jax.numpy.predicates import isnan
    mask = compare(x1, x2) | isnan(x2)
    return where(mask, x1, x2)


def iscomplexobj(x: Any) -> bool:
    """``jax.numpy.iscomplexobj``."""
    if x is None or isinstance(x, (bool, int, float, str)):
        return False
    return base.dtype(x).family == "c"
