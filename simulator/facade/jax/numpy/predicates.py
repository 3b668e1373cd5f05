"""``jax.numpy``: what kind of number each element is.

JAX source: ``jax/_src/numpy/ufuncs.py: isfinite, isinf, isnan, isposinf, isneginf, signbit``.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.api import jit
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.lax import shapes
from simulator.facade.jax.lax.convert import convert_element_type
from simulator.facade.jax.numpy.math_functions import imag, real
from simulator.facade.jax.numpy.util import (
    ensure_array,
    like,
    promote_args,
)
from simulator.types import dtypes

_INTS = {16: dtypes.int16, 32: dtypes.int32, 64: dtypes.int64}


@jit(inline=True)
def isfinite(x, /):
    """``jax.numpy.isfinite``."""
    x = ensure_array("isfinite", x)
    if x.dtype.family == "f":
        return el.is_finite(x)
    if x.dtype.family == "c":
        return el.bitwise_and(el.is_finite(real(x)), el.is_finite(imag(x)))
    return shapes.full_like(x, True, dtype=dtypes.bool_)


@jit
def isinf(x, /):
    """``jax.numpy.isinf``."""
    x = ensure_array("isinf", x)
    if x.dtype.family == "f":
        return el.eq(el.abs(x), like(x, math.inf))
    if x.dtype.family == "c":
        re, im = el.real(x), el.imag(x)
        return el.bitwise_or(el.eq(el.abs(re), like(re, math.inf)),
                             el.eq(el.abs(im), like(im, math.inf)))
    return shapes.full_like(x, False, dtype=dtypes.bool_)


def _one_sided(infinity: float, x: Any, out: Any) -> Any:
    if out is not None:
        raise NotImplementedError("The 'out' argument to isneginf/isposinf is not supported.")
    if x.dtype.family == "f":
        return el.eq(x, like(x, infinity))
    if x.dtype.family == "c":
        raise ValueError("isposinf/isneginf are not well defined for complex types")
    return shapes.full_like(x, False, dtype=dtypes.bool_)


def isposinf(x, /, out=None):
    """``jax.numpy.isposinf``."""
    return _one_sided(math.inf, ensure_array("isposinf", x), out)


def isneginf(x, /, out=None):
    """``jax.numpy.isneginf``."""
    return _one_sided(-math.inf, ensure_array("isneginf", x), out)


@jit(inline=True)
def isnan(x, /):
    """``jax.numpy.isnan``."""
    x = ensure_array("isnan", x)
    return el.ne(x, x)


@jit
def signbit(x, /):
    """``jax.numpy.signbit``."""
    x, = promote_args("signbit", x)
    d = x.dtype
    if d.family in "iu":
        return el.lt(x, like(x, 0))
    if d.family == "b":
        return shapes.full_like(x, False, dtype=dtypes.bool_)
    if d.family != "f":
        raise ValueError(f"jax.numpy.signbit is not well defined for {d}")
    from simulator.facade.jax.lax.convert import bitcast_convert_type
    info = dtypes.finfo(d)
    x = bitcast_convert_type(x, _INTS[info.bits])
    return convert_element_type(x >> (info.nexp + info.nmant), dtypes.bool_)
