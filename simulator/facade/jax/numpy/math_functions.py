"""``jax.numpy`` functions of one array: trigonometry, exponentials, signs, rounding.

Each is a jitted function of its own; most dissolve into the caller (``inline=True``).

JAX source: ``jax/_src/numpy/ufuncs.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from simulator.api import jit
from simulator.facade.jax.lax import base, shapes
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.lax.convert import convert_element_type
from simulator.facade.jax.numpy.ufuncs import unary_ufunc
from simulator.facade.jax.numpy.util import (
    _where,
    asarray,
    ensure_array,
    like,
    promote_args,
    promote_args_inexact,
    promote_inexact,
    promote_numeric,
)
from simulator.primitives.unary import RoundingMethod
from simulator.types import dtypes


def _floating(name: str, operation: Callable) -> Any:
    """A jitted function: promote to floating, apply one lax operation."""
    def fun(x, /):
        return operation(*promote_args_inexact(name, x))
    return _jitted(fun, name)


def _plain(name: str, operation: Callable) -> Any:
    """A jitted function: promote, apply one lax operation."""
    def fun(x, /):
        return operation(*promote_args(name, x))
    return _jitted(fun, name)


def _alias(name: str, target: Callable) -> Any:
    """A jitted function that calls another one."""
    def fun(x, /):
        return target(*promote_args(name, x))
    return _jitted(fun, name)


def _jitted(fun: Callable, name: str) -> Any:
    fun.__name__ = fun.__qualname__ = name
    fun.__module__ = "jax.numpy"
    fun.__doc__ = f"``jax.numpy.{name}``."
    return jit(fun, inline=True)


exp, expm1 = _floating("exp", el.exp), _floating("expm1", el.expm1)
log, log1p = _floating("log", el.log), _floating("log1p", el.log1p)
sin, cos, tan = _floating("sin", el.sin), _floating("cos", el.cos), _floating("tan", el.tan)
arcsin, arccos = _floating("arcsin", el.asin), _floating("arccos", el.acos)
arctan = _floating("arctan", el.atan)
sinh, cosh, tanh = (_floating("sinh", el.sinh), _floating("cosh", el.cosh),
                    _floating("tanh", el.tanh))
arcsinh, arctanh = _floating("arcsinh", el.asinh), _floating("arctanh", el.atanh)
sqrt, cbrt = _floating("sqrt", el.sqrt), _floating("cbrt", el.cbrt)
sign = _plain("sign", el.sign)
positive = _plain("positive", asarray)
bitwise_not = _plain("bitwise_not", el.bitwise_not)
bitwise_invert = _plain("bitwise_invert", el.bitwise_not)
invert = _plain("invert", el.bitwise_not)


@unary_ufunc
def negative(x, /):
    """``jax.numpy.negative``."""
    return el.neg(*promote_args("negative", x))


@jit
def arccosh(x, /):
    """``jax.numpy.arccosh``."""
    result = el.acosh(*promote_args_inexact("arccosh", x))
    if result.dtype.family == "c":
        result = _where(real(result) < 0, el.neg(result), result)
    return result


acos, acosh = _alias("acos", arccos), _alias("acosh", arccosh)
asin, asinh = _alias("asin", arcsin), _alias("asinh", arcsinh)
atan, atanh = _alias("atan", arctan), _alias("atanh", arctanh)


@jit(inline=True)
def fabs(x, /):
    """``jax.numpy.fabs``. TypeError for complex numbers."""
    x = ensure_array("fabs", x)
    if x.dtype.family == "c":
        raise TypeError("ufunc 'fabs' does not support complex dtypes")
    return el.abs(*promote_args_inexact("fabs", x))


@jit(inline=True)
def floor(x, /):
    """``jax.numpy.floor``."""
    x = ensure_array("floor", x)
    return x if x.dtype.family in "iub" else el.floor(*promote_args_inexact("floor", x))


@jit(inline=True)
def ceil(x, /):
    """``jax.numpy.ceil``."""
    x = ensure_array("ceil", x)
    return x if x.dtype.family in "iub" else el.ceil(*promote_args_inexact("ceil", x))


@jit
def trunc(x):
    """``jax.numpy.trunc``."""
    from simulator.facade.jax.numpy.choosing import where
    x = ensure_array("trunc", x)
    if x.dtype.family in "iub":
        return x
    return where(el.lt(x, base.const(x, 0)), ceil(x), floor(x))


@jit
def rint(x, /):
    """``jax.numpy.rint``: to the nearest integer, halves to even."""
    x = ensure_array("rint", x)
    if x.dtype.family in "iub":
        return convert_element_type(x, base.default_float())
    if x.dtype.family == "c":
        return el.complex(rint(el.real(x)), rint(el.imag(x)))
    return el.round(x, RoundingMethod.TO_NEAREST_EVEN)


@jit(static_argnames=("decimals",))
def round(a, decimals=0, out=None):
    """``jax.numpy.round``."""
    import operator
    a = ensure_array("round", a)
    decimals = base.concrete(operator.index, decimals, "'decimals' argument of jnp.round")
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.round is not supported.")
    d = a.dtype
    if d.family in "iu":
        if decimals < 0:
            raise NotImplementedError("integer np.round not implemented for decimals < 0")
        return a

    def one(x):
        if decimals == 0:
            return el.round(x, RoundingMethod.TO_NEAREST_EVEN)
        narrow = d is dtypes.float16
        x = convert_element_type(x, dtypes.float32) if narrow else x
        factor = base.const(x, 10 ** decimals)
        scaled = el.round(el.mul(x, factor), RoundingMethod.TO_NEAREST_EVEN)
        result = el.div(scaled, factor)
        return convert_element_type(result, d) if narrow else result

    if decimals > math.log10(dtypes.finfo(d).max):
        return asarray(a)
    if d.family == "c":
        return el.complex(one(el.real(a)), one(el.imag(a)))
    return one(a)


@jit(static_argnames=("decimals",))
def around(a, decimals=0, out=None):
    """``jax.numpy.around``."""
    return round(a, decimals, out)


@jit(inline=True)
def absolute(x, /):
    """``jax.numpy.absolute``."""
    x = ensure_array("absolute", x)
    return asarray(x) if x.dtype.family in "bu" else el.abs(x)


@jit(inline=True)
def abs(x, /):
    """``jax.numpy.abs``."""
    return absolute(x)


@jit(inline=True)
def square(x, /):
    """``jax.numpy.square``."""
    x = ensure_array("square", x)
    x, = promote_numeric(x)
    return el.square(x)


@jit(inline=True)
def reciprocal(x, /):
    """``jax.numpy.reciprocal``."""
    x = ensure_array("reciprocal", x)
    x, = promote_inexact(x)
    return el.integer_pow(x, -1)


@jit(inline=True)
def log2(x, /):
    """``jax.numpy.log2``."""
    x, = promote_args_inexact("log2", x)
    if x.dtype.family == "c":
        r = el.log(x)
        re, im = el.real(r), el.imag(r)
        ln2 = el.log(like(re, 2))
        return el.complex(el.div(re, ln2), el.div(im, ln2))
    return el.div(el.log(x), el.log(like(x, 2)))


@jit(inline=True)
def log10(x, /):
    """``jax.numpy.log10``."""
    x, = promote_args_inexact("log10", x)
    from simulator.ndarrays.ndarray import asarray as numpy_array
    factor = numpy_array(0.4342944819032518, dtypes.real_part(x.dtype))
    if x.dtype.family == "c":
        r = el.log(x)
        parts = el.real(r), el.imag(r)
        return el.complex(*(el.mul(part, factor) for part in parts))
    return el.mul(el.log(x), factor)


@jit(inline=True)
def exp2(x, /):
    """``jax.numpy.exp2``."""
    x, = promote_args_inexact("exp2", x)
    return el.exp2(x)


@jit(inline=True)
def deg2rad(x, /):
    """``jax.numpy.deg2rad``."""
    x, = promote_args_inexact("deg2rad", x)
    return el.mul(x, base.const(x, math.pi / 180))


@jit(inline=True)
def rad2deg(x, /):
    """``jax.numpy.rad2deg``."""
    x, = promote_args_inexact("rad2deg", x)
    return el.mul(x, base.const(x, 180 / math.pi))


def degrees(x, /):
    """``jax.numpy.degrees``."""
    return rad2deg(x)


def radians(x, /):
    """``jax.numpy.radians``."""
    return deg2rad(x)


def _is_complex(x: Any) -> bool:
    return base.dtype(x).family == "c"


@jit(inline=True)
def conjugate(x, /):
    """``jax.numpy.conjugate``."""
    x = ensure_array("conjugate", x)
    return el.conj(x) if _is_complex(x) else asarray(x)


def conj(x, /):
    """``jax.numpy.conj``."""
    return conjugate(x)


@jit(inline=True)
def imag(val, /):
    """``jax.numpy.imag``."""
    val = ensure_array("imag", val)
    return el.imag(val) if _is_complex(val) else shapes.full_like(val, 0)


@jit(inline=True)
def real(val, /):
    """``jax.numpy.real``."""
    val = ensure_array("real", val)
    return el.real(val) if _is_complex(val) else asarray(val)


@jit
def modf(x, /, out=None):
    """``jax.numpy.modf``: fractional and integral part."""
    x = ensure_array("modf", x)
    x, = promote_inexact(x)
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.modf is not supported.")
    whole = _where(el.ge(x, shapes.zero(x)), floor(x), ceil(x))
    return x - whole, whole
