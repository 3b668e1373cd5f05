"""``jax.numpy``: the bits of numbers: packed into bytes, and as mantissa and exponent.

JAX source: ``jax/_src/numpy/lax_numpy.py: packbits, unpackbits``;
``jax/_src/numpy/ufuncs.py: frexp, ldexp, spacing, _normalize_float``.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.api import jit
from simulator.autodiff.custom_jvp import custom_jvp
from simulator.facade.jax.lax import base, reducing, shapes
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.lax.convert import bitcast_convert_type, convert_element_type
from simulator.facade.jax.numpy.arithmetic import copysign
from simulator.facade.jax.numpy.constructors import asarray
from simulator.facade.jax.numpy.math_functions import abs as abs_
from simulator.facade.jax.numpy.math_functions import exp2
from simulator.facade.jax.numpy.padding import pad
from simulator.facade.jax.numpy.predicates import isinf, isnan
from simulator.facade.jax.numpy.ranges import arange
from simulator.facade.jax.numpy.reshaping import expand_dims, ravel, swapaxes
from simulator.facade.jax.numpy.util import (
    _where,
    ensure_array,
    ensure_arrays,
    promote_args_inexact,
    promote_args_numeric,
    promote_inexact,
)
from simulator.types import dtype_core as dt
from simulator.types import scalar_types
from simulator.types.dtypes import finfo

_INTEGERS = {16: scalar_types.int16, 32: scalar_types.int32, 64: scalar_types.int64}


def _check_order(bitorder: str) -> None:
    if bitorder not in ("little", "big"):
        raise ValueError("'order' must be either 'little' or 'big'")


@jit(static_argnames=("axis", "bitorder"))
def packbits(a, axis=None, bitorder="big"):
    """``jax.numpy.packbits``. TypeError for floats."""
    arr = ensure_array("packbits", a)
    if not base.is_kind(arr, "iub"):
        raise TypeError("Expected an input array of integer or boolean data type")
    _check_order(bitorder)
    arr = el.ne(arr, base.const(arr, 0)).astype("uint8")
    bits = arange(8, dtype="uint8")
    if bitorder == "big":
        bits = bits[::-1]
    if axis is None:
        arr, axis = ravel(arr), 0
    arr = swapaxes(arr, axis, -1)
    if rest := arr.shape[-1] % 8:
        arr = reducing.pad(arr, scalar_types.uint8(0),
                         (arr.ndim - 1) * [(0, 0, 0)] + [(0, 8 - rest, 0)])
    arr = arr.reshape((*arr.shape[:-1], arr.shape[-1] // 8, 8))
    bits = expand_dims(bits, tuple(range(arr.ndim - 1)))
    return swapaxes((arr << bits).sum(-1).astype("uint8"), axis, -1)


@jit(static_argnames=("axis", "count", "bitorder"))
def unpackbits(a, axis=None, count=None, bitorder="big"):
    """``jax.numpy.unpackbits``. TypeError for anything else than bytes."""
    arr = ensure_array("unpackbits", a)
    if arr.dtype is not dt.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    _check_order(bitorder)
    bits = asarray(1) << arange(8, dtype="uint8")
    if bitorder == "big":
        bits = bits[::-1]
    if axis is None:
        arr, axis = ravel(arr), 0
    arr = swapaxes(arr, axis, -1)
    out = (arr[..., None] & expand_dims(bits, tuple(range(arr.ndim))) > 0).astype("uint8")
    out = out.reshape((*out.shape[:-2], -1))
    if count is not None:
        if count > out.shape[-1]:
            out = pad(out, [(0, 0)] * (out.ndim - 1) + [(0, count - out.shape[-1])])
        else:
            out = out[..., :count]
    return swapaxes(out, axis, -1)


def _normalized(x: Any) -> tuple[Any, Any]:
    # Numbers below the smallest normal one are multiplied until they are normal.
    info = finfo(x.dtype)
    integer = _INTEGERS[info.bits]
    small = el.abs(x) < info.tiny
    scaled = _where(small, x * base.const(x, 1 << info.nmant), x)
    exponent = _where(small, integer(-info.nmant), integer(0))
    return bitcast_convert_type(scaled, integer), exponent


@custom_jvp
def _frexp(x):
    info = finfo(x.dtype)
    mask, bias = (1 << info.nexp) - 1, 1 - info.minexp
    bits, exponent = _normalized(x)
    exponent += ((bits >> info.nmant) & mask) - bias + 1
    bits &= ~(mask << info.nmant)
    bits |= (bias - 1) << info.nmant
    mantissa = bitcast_convert_type(bits, x.dtype)
    special = isinf(x) | isnan(x) | (x == 0)
    exponent = _where(special, shapes.full_like(exponent, 0), exponent)
    return _where(special, x, mantissa), convert_element_type(exponent, dt.int32)


@_frexp.defjvp
def _frexp_jvp(primals, tangents):
    from simulator.types.dtypes import float0
    (x,), (t,) = primals, tangents
    m, e = frexp(x)
    return (m, e), (t * exp2(-e.astype(t.dtype)), shapes.full_like(e, 0, dtype=float0))


@jit
def frexp(x, /):
    """``jax.numpy.frexp``: a mantissa from a half to one, and an exponent of two."""
    [x] = promote_inexact(ensure_array("frexp", x))
    if base.is_kind(x, "c"):
        raise TypeError("frexp does not support complex-valued inputs")
    return _frexp(x)


@jit
def ldexp(x1, x2, /):
    """``jax.numpy.ldexp``: ``x1 * 2 ** x2``. ValueError for an exponent that is no integer."""
    x1, x2 = ensure_arrays("ldexp", x1, x2)
    if base.is_kind(x1, "c") or base.is_kind(x2, "fc"):
        raise ValueError(f"ldexp not supported for input types {(x1.dtype, x2.dtype)}")
    [x1] = promote_args_inexact("ldexp", x1)
    x2 = convert_element_type(x2, x1.dtype)
    m, e = frexp(x1)
    e = (e.astype(x2.dtype) + x2).astype(x1.dtype)
    m = _where(e > 0, m * 2, m)
    e = _where(e > 0, e - 1, e)
    x = m * 2 ** e.astype(m.dtype)
    return _where(isinf(x1) | (x1 == 0), x1, x)


@jit(inline=True)
def spacing(x, /):
    """``jax.numpy.spacing``: the distance to the next number. ValueError for complex ones."""
    [x] = promote_args_inexact("spacing", x)
    if base.is_kind(x, "c"):
        raise ValueError("jnp.spacing is not defined for complex inputs.")
    inf = base.const(x, math.inf)
    if x.dtype is dt.float16:
        return el.nextafter(x, inf) - x
    least = finfo(x.dtype).smallest_subnormal
    step = el.nextafter(x, copysign(inf, x)) - x
    return _where(step == 0, copysign(least, x), step)


@jit
def bitwise_count(x, /):
    """``jax.numpy.bitwise_count``."""
    x, = promote_args_numeric("bitwise_count", x)
    return el.population_count(abs_(x)).astype("uint8")
