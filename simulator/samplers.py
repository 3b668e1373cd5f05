"""The samplers of `jax.random`, traced as JAX traces them.

Each public sampler checks its arguments and calls a jitted function, which is
what the caches see: ``_uniform``, ``_normal``, ``_randint`` … Inside they call
each other and the functions of ``jax.numpy``, with the nested lookups of JAX.

JAX source: ``jax/_src/random/core.py``.

Simplified: no results placed by ``out_sharding``. Samplers with loops inside
(gamma, poisson, binomial …) are out of scope.
"""

from __future__ import annotations

import math
from typing import Any, Sequence

from simulator import process
from simulator.api import jit
from simulator.dtypes import DType, finfo, iinfo, int32, uint32
from simulator.errors import OutOfScope
from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import base
from simulator.random_keys import check_key, split_typed
from simulator.literals import constant
from simulator.ndarray import NDArray, asarray
from simulator.primitives.random import random_bits_p
from simulator.prng import UINTS


def _dtype(dtype: Any, default: type, families: str, name: str, kind: str,
           error: type = ValueError) -> DType:
    chosen = base.user_dtype(default if dtype is None else dtype)
    if chosen.family not in families:
        if error is TypeError:
            raise TypeError(f"{name} only accepts {kind} dtypes, got {chosen}")
        raise ValueError(f"dtype argument to `{name}` must be {kind} dtype, got {chosen}")
    return chosen


def _check_shape(name: str, shape: tuple, *others: tuple) -> None:
    if not others:
        return
    result = lax.broadcast_shapes(shape, *others)
    if shape != result:
        raise ValueError(f"{name} parameter shapes must be broadcast-compatible with shape "
                         "argument, and the result of broadcasting the shapes must equal the "
                         f"shape argument, but got result {result} for shape argument {shape}.")


def _bits(key: Any, width: int, shape: tuple) -> Any:
    return random_bits_p.bind(key, bit_width=width, shape=shape)


def bits(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """``jax.random.bits``: random unsigned integers."""
    key, _ = check_key("bits", key)
    chosen = base.user_dtype(dtype) if dtype is not None else UINTS[base.default_int().bits]
    if chosen.family != "u":
        raise ValueError("dtype argument to `bits` must be an unsigned int dtype, got "
                         f"{chosen}")
    base.no_out_sharding(out_sharding, "jax.random.bits")
    return _bits(key, chosen.bits, base.canonical_shape(shape))


# --- uniform ---------------------------------------------------------------------

def uniform(key: Any, shape: Any = (), dtype: Any = None, minval: Any = 0., maxval: Any = 1., *,
            out_sharding: Any = None) -> Any:
    """``jax.random.uniform``: floats in [minval, maxval)."""
    key, _ = check_key("uniform", key)
    chosen = _dtype(dtype, float, "f", "uniform", "a float")
    base.no_out_sharding(out_sharding, "jax.random.uniform")
    return _uniform(key, minval, maxval, shape=base.canonical_shape(shape), dtype=chosen)


@jit(static_argnums=(3, 4))
def _uniform(key, minval, maxval, shape, dtype):
    low, high = [lax.convert_element_type(v, dtype) for v in (minval, maxval)]
    low, high = [lax.broadcast_to_rank(v, len(shape)) for v in (low, high)]
    info = finfo(dtype)
    width = 8 if info.nmant < 8 else info.bits
    random = _bits(key, width, shape)
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
        _check_shape("bernoulli", shape, base.shape(p))
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
    chosen = _dtype(dtype, float, "f", name, "a float")
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
    chosen = _dtype(dtype, float, "f", "gumbel", "a float")
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
    chosen = _dtype(dtype, float, "fc", "normal", "a float or complex")
    return _normal(key, shape=shape, dtype=chosen)


@jit(static_argnums=(1, 2))
def _normal(key, shape, dtype):
    if dtype.family == "f":
        return _normal_real(key, shape, dtype)
    raise OutOfScope("jax.random.normal with a complex dtype", "draw two real arrays")


@jit(static_argnums=(1, 2))
def _normal_real(key, shape, dtype):
    # The open interval (-1, 1): the smallest step above -1 is one half ulp of 1.
    low = asarray(-1.0 + 2.0 ** (-finfo(dtype).nmant - 1), dtype)
    u = uniform(key, shape, dtype, low, asarray(1.0, dtype))
    return lax.mul(asarray(math.sqrt(2), dtype), lax.erf_inv(u))


def truncated_normal(key: Any, lower: Any, upper: Any, shape: Any = None, dtype: Any = None, *,
                     out_sharding: Any = None) -> Any:
    """``jax.random.truncated_normal``: normal values between two bounds."""
    if shape is not None:
        shape = base.canonical_shape(shape)
    key, _ = check_key("truncated_normal", key)
    base.no_out_sharding(out_sharding, "jax.random.truncated_normal")
    chosen = _dtype(dtype, float, "f", "truncated_normal", "a float")
    return _truncated_normal(key, lower, upper, shape=shape, dtype=chosen)


@jit(static_argnums=(3, 4))
def _truncated_normal(key, lower, upper, shape, dtype):
    shapes = base.shape(lower), base.shape(upper)
    if shape is None:
        shape = lax.broadcast_shapes(*shapes)
    else:
        _check_shape("truncated_normal", shape, *shapes)
    root = asarray(math.sqrt(2), dtype)
    lower, upper = (lax.convert_element_type(v, dtype) for v in (lower, upper))
    a, b = (lax.erf(v / root) for v in (lower, upper))
    u = uniform(key, shape, dtype, minval=a, maxval=b)
    out = root * lax.erf_inv(u)
    return jnp.clip(out, lax.nextafter(lax.stop_gradient(lower), asarray(math.inf, dtype)),
                    lax.nextafter(lax.stop_gradient(upper), asarray(-math.inf, dtype)))


# --- integers ----------------------------------------------------------------------------

def randint(key: Any, shape: Any, minval: Any, maxval: Any, dtype: Any = None, *,
            out_sharding: Any = None) -> Any:
    """``jax.random.randint``: integers in [minval, maxval)."""
    key, _ = check_key("randint", key)
    chosen = base.user_dtype(int if dtype is None else dtype)
    shape = base.canonical_shape(shape)
    base.no_out_sharding(out_sharding, "jax.random.randint")
    if chosen.family not in "iu":
        raise TypeError(f"randint only accepts integer dtypes, got {chosen}")
    sampled, info = chosen, iinfo(chosen)
    if info.bits < 32:
        # Drawn with 32 bits, so that the remainder is hardly biased.
        sampled = int32
        minval = jnp.asarray(minval).astype("int32").clip(info.min, info.max)
        maxval = jnp.asarray(maxval).astype("int32").clip(info.min, info.max + 1)
    return _randint(key, minval, maxval, shape=shape, dtype=sampled).astype(chosen)


def _clipped(value: Any, dtype: DType) -> Any:
    mine, theirs = iinfo(value.dtype), iinfo(dtype)
    low = base.const(value, max(theirs.min, mine.min))
    high = base.const(value, min(theirs.max, mine.max))
    return jnp.clip(value, low, high).astype(dtype)


@jit(static_argnums=(3, 4))
def _randint(key, minval, maxval, shape, dtype):
    _check_shape("randint", shape, base.shape(minval), base.shape(maxval))
    minval, maxval = jnp.asarray(minval), jnp.asarray(maxval)
    if minval.dtype.family not in "iu":
        minval = minval.astype(int)
    if maxval.dtype.family not in "iu":
        maxval = maxval.astype(int)
    info = iinfo(dtype)
    too_high = lax.gt(maxval, _clipped(jnp.array(info.max, dtype), maxval.dtype))
    minval, maxval = _clipped(minval, dtype), _clipped(maxval, dtype)
    minval, maxval = [lax.broadcast_to_rank(v, len(shape)) for v in (minval, maxval)]
    k1, k2 = split_typed(key)
    higher, lower = _bits(k1, info.bits, shape), _bits(k2, info.bits, shape)
    span = lax.convert_element_type(maxval - minval, UINTS[info.bits])
    # An empty range gives minval; a range up to the largest integer is one wider.
    span = lax.select(maxval <= minval, lax.full_like(span, 1), span)
    span = lax.select(too_high & (maxval > minval), lax.add(span, base.const(span, 1)), span)
    factor = lax.rem(base.const(span, 2 ** (info.bits // 2)), span)
    factor = lax.rem(lax.mul(factor, factor), span)
    offset = lax.add(lax.mul(lax.rem(higher, span), factor), lax.rem(lower, span))
    offset = lax.rem(offset, span)
    return lax.add(minval, lax.convert_element_type(offset, dtype))


# --- drawing from something -----------------------------------------------------------------

def permutation(key: Any, x: Any, axis: int = 0, independent: bool = False, *,
                out_sharding: Any = None) -> Any:
    """``jax.random.permutation``: an array, or ``arange(x)``, in random order."""
    key, _ = check_key("permutation", key)
    rank = base.ndim(x)
    axis = base.canonical_axis(axis, rank or 1)
    base.no_out_sharding(out_sharding, "jax.random.permutation")
    if not rank:
        if base.dtype(x).family not in "iu":
            raise TypeError("x must be an integer or at least 1-dimensional")
        count = base.concrete(int, x, "argument x of jax.random.permutation()")
        return _shuffle(key, jnp.arange(count), axis)
    if independent or rank == 1:
        return _shuffle(key, x, axis)
    order = _shuffle(key, jnp.arange(x.shape[axis]), 0)
    return jnp.take(x, order, axis, unique_indices=True)


@jit(static_argnums=(2,))
def _shuffle(key, x, axis):
    # Sorted by random 32-bit numbers, often enough that no tie is left to matter.
    rounds = math.ceil(3 * math.log(max(1, x.size)) / math.log(iinfo(uint32).max))
    for _ in range(rounds):
        key, subkey = split_typed(key)
        order = _bits(subkey, 32, x.shape)
        _, x = lax.sort_key_val(order, x, axis)
    return x


def choice(key: Any, a: Any, shape: Any = (), replace: bool = True, p: Any = None, axis: int = 0,
           mode: str | None = None) -> Any:
    """``jax.random.choice``: elements of an array, or of ``arange(a)``."""
    key, _ = check_key("choice", key)
    if not isinstance(shape, Sequence):
        raise TypeError("shape argument of jax.random.choice must be a sequence, got "
                        f"{shape}")
    arr = jnp.asarray(a)
    if arr.ndim == 0:
        inputs = base.concrete(int, a, "The error occurred in jax.random.choice()")
    else:
        axis = base.canonical_axis(axis, arr.ndim)
        inputs = arr.shape[axis]
    draws = math.prod(shape)
    if draws == 0:
        return jnp.zeros(shape, dtype=arr.dtype)
    if inputs <= 0:
        raise ValueError("a must be greater than 0 unless no samples are taken")
    if not replace and draws > inputs:
        raise ValueError(f"Cannot take a larger sample (size {draws}) than population (size "
                         f"{inputs}) when 'replace=False'")
    if p is not None:
        raise OutOfScope("jax.random.choice(p=…)", "leave p out")
    if replace:
        order = randint(key, shape, 0, inputs)
        result = order if arr.ndim == 0 else jnp.take(arr, order, axis)
    else:
        slices = (slice(None),) * axis + (slice(draws),)
        result = permutation(key, inputs if arr.ndim == 0 else arr, axis)[slices]
    return result.reshape(shape if arr.ndim == 0 else
                          arr.shape[:axis] + tuple(shape) + arr.shape[axis + 1:])


def categorical(key: Any, logits: Any, axis: int = -1, shape: Any = None, replace: bool = True,
                mode: str | None = None, *, out_sharding: Any = None) -> Any:
    """``jax.random.categorical``: indices, by the Gumbel trick."""
    key, _ = check_key("categorical", key)
    logits = jnp.asarray(logits)
    batch = tuple(n for i, n in enumerate(logits.shape) if i != axis % logits.ndim)
    if shape is None:
        shape = batch
    else:
        shape = base.canonical_shape(shape)
        _check_shape("categorical", shape, batch)
    base.no_out_sharding(out_sharding, "jax.random.categorical")
    if not replace:
        raise OutOfScope("jax.random.categorical(replace=False)", "draw with replacement")
    prefix = shape[:len(shape) - len(batch)]
    if axis >= 0:
        axis -= logits.ndim
    full = list(shape[len(shape) - len(batch):])
    full.insert(axis % logits.ndim, logits.shape[axis])
    noise = gumbel(key, (*prefix, *full), logits.dtype, mode=mode)
    return jnp.argmax(noise + lax.expand_dims(logits, tuple(range(len(prefix)))), axis=axis)
