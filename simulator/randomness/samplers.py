"""The samplers of `jax.random`, traced as JAX traces them.

Each public sampler checks its arguments and calls a jitted function, which is
what the caches see: ``_uniform``, ``_normal``, ``_randint`` … Inside they call
each other and the functions of ``jax.numpy``, with the nested lookups of JAX.

JAX source: ``jax/_src/random/core.py``.

Simplified: no results placed by ``out_sharding``. binomial, geometric and a few more
are out of scope.
"""

from __future__ import annotations

import math
from typing import Any

from simulator import process
from simulator.api import jit
from simulator.errors import OutOfScope
from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import base
from simulator.facade.jax.numpy.util import result_type
from simulator.ndarrays.ndarray import NDArray, asarray
from simulator.primitives.random import random_bits_p
from simulator.randomness.prng import UINTS
from simulator.randomness.random_keys import check_key
from simulator.types.dtypes import DType, finfo
from simulator.types.promotion import TypePromotionError


def _dtype(dtype: Any, families: str, name: str, kind: str) -> DType:
    chosen = base.user_dtype(float if dtype is None else dtype)
    if chosen.family not in families:
        raise ValueError(f"dtype argument to `{name}` must be {kind} dtype, got {chosen}")
    return chosen


def check_shape(name: str, shape: tuple, *others: tuple) -> None:
    """ValueError unless the parameters' shapes broadcast to `shape`."""
    if not others:
        return
    result = lax.broadcast_shapes(shape, *others)
    if shape != result:
        raise ValueError(f"{name} parameter shapes must be broadcast-compatible with shape "
                         "argument, and the result of broadcasting the shapes must equal the "
                         f"shape argument, but got result {result} for shape argument {shape}.")


def check_safe_to_cast(name: str, dtype: DType, *params: Any) -> None:
    """TypePromotionError where a parameter of a sampler would lose something as a `dtype`."""
    for given in params:
        if result_type(given, dtype)[0] is not dtype:
            raise TypePromotionError(f"In arguments to {name}, cannot safely cast argument of type "
                                     f"{base.dtype(given)} to {dtype}")


def random_words(key: Any, width: int, shape: tuple) -> Any:
    """Random unsigned integers of `width` bits from a typed key."""
    return random_bits_p.bind(key, bit_width=width, shape=shape)


def bits(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """``jax.random.bits``: random unsigned integers."""
    key, _ = check_key("bits", key)
    chosen = base.user_dtype(dtype) if dtype is not None else UINTS[base.default_int().bits]
    if chosen.family != "u":
        raise ValueError("dtype argument to `bits` must be an unsigned int dtype, got "
                         f"{chosen}")
    base.no_out_sharding(out_sharding, "jax.random.bits")
    return random_words(key, chosen.bits, base.canonical_shape(shape))


# --- uniform ---------------------------------------------------------------------

def uniform(key: Any, shape: Any = (), dtype: Any = None, minval: Any = 0., maxval: Any = 1., *,
            out_sharding: Any = None) -> Any:
    """``jax.random.uniform``: floats in [minval, maxval)."""
    key, _ = check_key("uniform", key)
    chosen = _dtype(dtype, "f", "uniform", "a float")
    base.no_out_sharding(out_sharding, "jax.random.uniform")
    return _uniform(key, minval, maxval, shape=base.canonical_shape(shape), dtype=chosen)


@jit(static_argnums=(3, 4))
def _uniform(key, minval, maxval, shape, dtype):
    low, high = [lax.convert_element_type(v, dtype) for v in (minval, maxval)]
    low, high = [lax.broadcast_to_rank(v, len(shape)) for v in (low, high)]
    info = finfo(dtype)
    width = 8 if info.nmant < 8 else info.bits
    random = random_words(key, width, shape)
    word = UINTS[info.bits]
    if width != info.bits:
        random = lax.convert_element_type(random, word)
    # Random mantissa under the exponent of 1.0: a float in [1, 2).
    mantissa = lax.shift_right_logical(random, jnp.array(width - info.nmant, word))
    one = NDArray((), word, [(info.maxexp - 1) << info.nmant])
    floats = lax.bitwise_or(mantissa, jnp.asarray(one, dtype=word))
    floats = lax.bitcast_convert_type(floats, dtype) - jnp.array(1., dtype)
    return lax.max(low, lax.reshape(floats * (high - low) + low, shape))


def bernoulli(key: Any, p: Any = 0.5, shape: Any = None, mode: str = "low", *,
              out_sharding: Any = None) -> Any:
    """``jax.random.bernoulli``: True with probability p."""
    if shape is not None:
        shape = base.canonical_shape(shape)
    if mode not in ("high", "low"):
        raise ValueError(f"got mode={mode!r}, expected 'high' or 'low'")
    key, _ = check_key("bernoulli", key)
    base.no_out_sharding(out_sharding, "jax.random.bernoulli")
    dtype = base.dtype(p)
    if dtype.family != "f":
        raise TypeError(f"bernoulli probability `p` must have a floating dtype, got {dtype}.")
    return _bernoulli(key, lax.convert_element_type(p, dtype), shape=shape, mode=mode)


@jit(static_argnames=["shape", "mode"])
def _bernoulli(key, p, shape, mode):
    if shape is None:
        shape = base.shape(p)
    else:
        check_shape("bernoulli", shape, base.shape(p))
    dtype = base.dtype(p)
    if mode == "low":
        return uniform(key, shape, dtype) < p
    u1, u2 = uniform(key, (2, *shape), dtype)
    u2 *= 2 ** -finfo(dtype).nmant
    return u2 < p - u1


def rademacher(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """``jax.random.rademacher``: -1 or 1."""
    key, _ = check_key("rademacher", key)
    chosen = base.user_dtype(int if dtype is None else dtype)
    base.no_out_sharding(out_sharding, "jax.random.rademacher")
    return _rademacher(key, base.canonical_shape(shape), chosen, None)


@jit(static_argnums=(1, 2, 3))
def _rademacher(key, shape, dtype, out_sharding):
    signs = bernoulli(key=key, p=0.5, shape=shape).astype(dtype)
    return (2 * signs - 1).astype(dtype)


# --- made from uniform -------------------------------------------------------------

def _simple(name: str, function: Any, key: Any, shape: Any, dtype: Any, out_sharding: Any) -> Any:
    key, _ = check_key(name, key)
    chosen = _dtype(dtype, "f", name, "a float")
    base.no_out_sharding(out_sharding, f"jax.random.{name}")
    return function(key, shape=base.canonical_shape(shape), dtype=chosen)


def exponential(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """``jax.random.exponential``."""
    return _simple("exponential", _exponential, key, shape, dtype, out_sharding)


@jit(static_argnums=(1, 2))
def _exponential(key, shape, dtype):
    return lax.neg(lax.log1p(lax.neg(uniform(key, shape, dtype))))


def laplace(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """``jax.random.laplace``."""
    return _simple("laplace", _laplace, key, shape, dtype, out_sharding)


@jit(static_argnums=(1, 2))
def _laplace(key, shape, dtype):
    u = uniform(key, shape, dtype, minval=-1. + finfo(dtype).epsneg, maxval=1.)
    return lax.mul(lax.sign(u), lax.log1p(lax.neg(lax.abs(u))))


def logistic(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """``jax.random.logistic``."""
    return _simple("logistic", _logistic, key, shape, dtype, out_sharding)


@jit(static_argnums=(1, 2))
def _logistic(key, shape, dtype):
    x = uniform(key, shape, dtype, minval=finfo(dtype).tiny, maxval=1.)
    return lax.sub(lax.log(x), lax.log1p(lax.neg(x)))


def gumbel(key: Any, shape: Any = (), dtype: Any = None, mode: str | None = None, *,
           out_sharding: Any = None) -> Any:
    """``jax.random.gumbel``; the default mode is a config state that no jit key holds."""
    key, _ = check_key("gumbel", key)
    chosen = _dtype(dtype, "f", "gumbel", "a float")
    shape = base.canonical_shape(shape)
    if mode is None:
        wide = process.current().config.value("jax_high_dynamic_range_gumbel")
        mode = "high" if wide else "low"
    if mode not in ("highest", "high", "low"):
        raise ValueError(f"Must provide valid mode for gumbel got: {mode}")
    base.no_out_sharding(out_sharding, "jax.random.gumbel")
    return _gumbel(key, shape=shape, dtype=chosen, mode=mode)


@jit(static_argnums=(1, 2, 3))
def _gumbel(key, shape, dtype, mode):
    info = finfo(dtype)
    if mode == "low":
        u = _uniform(key, minval=info.tiny, maxval=1., shape=shape, dtype=dtype)
        return -jnp.log(-jnp.log(u))
    if mode == "highest" and dtype.name == "float32":
        raise OutOfScope('jax.random.gumbel(mode="highest")', "use mode='high' or 'low'")
    high, low = _uniform(key, minval=0., maxval=1., shape=(2, *shape), dtype=dtype)
    smallest = max(2 ** -(2 * info.nmant + 1), info.tiny)
    x = jnp.where(high >= 0.5, high, high + 2 ** -info.nmant * low + smallest)
    return -jnp.log(-jnp.log1p(-x))


# --- normal ----------------------------------------------------------------------------

def normal(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """``jax.random.normal``."""
    key, _ = check_key("normal", key)
    shape = base.canonical_shape(shape)
    base.no_out_sharding(out_sharding, "jax.random.normal")
    chosen = _dtype(dtype, "fc", "normal", "a float or complex")
    return _normal(key, shape=shape, dtype=chosen)


@jit(static_argnums=(1, 2))
def _normal(key, shape, dtype):
    if dtype.family == "f":
        return _normal_real(key, shape, dtype)
    raise OutOfScope("jax.random.normal with a complex dtype", "draw two real arrays")


@jit(static_argnums=(1, 2))
def _normal_real(key, shape, dtype):
    # The open interval (-1, 1): the smallest step above -1 is one half ulp of 1. What
    # NumPy computes there is a scalar, the upper bound an array.
    low = asarray(-1.0 + 2.0 ** (-finfo(dtype).nmant - 1), dtype)[()]
    u = uniform(key, shape, dtype, low, asarray(1.0, dtype))
    return lax.mul(asarray(math.sqrt(2), dtype), lax.erf_inv(u))


def truncated_normal(key: Any, lower: Any, upper: Any, shape: Any = None, dtype: Any = None, *,
                     out_sharding: Any = None) -> Any:
    """``jax.random.truncated_normal``: normal values between two bounds."""
    if shape is not None:
        shape = base.canonical_shape(shape)
    key, _ = check_key("truncated_normal", key)
    base.no_out_sharding(out_sharding, "jax.random.truncated_normal")
    chosen = _dtype(dtype, "f", "truncated_normal", "a float")
    return _truncated_normal(key, lower, upper, shape=shape, dtype=chosen)


@jit(static_argnums=(3, 4))
def _truncated_normal(key, lower, upper, shape, dtype):
    shapes = base.shape(lower), base.shape(upper)
    if shape is None:
        shape = lax.broadcast_shapes(*shapes)
    else:
        check_shape("truncated_normal", shape, *shapes)
    root = asarray(math.sqrt(2), dtype)
    lower, upper = (lax.convert_element_type(v, dtype) for v in (lower, upper))
    a, b = (lax.erf(v / root) for v in (lower, upper))
    u = uniform(key, shape, dtype, minval=a, maxval=b)
    out = root * lax.erf_inv(u)
    return jnp.clip(out, lax.nextafter(lax.stop_gradient(lower), asarray(math.inf, dtype)),
                    lax.nextafter(lax.stop_gradient(upper), asarray(-math.inf, dtype)))
