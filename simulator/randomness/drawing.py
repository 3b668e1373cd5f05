"""The samplers of `jax.random` that give integers or draw from something.

JAX source: ``jax/_src/random/core.py: randint, permutation, choice,
categorical``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from simulator.api import jit
from simulator.errors import OutOfScope
from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import base
from simulator.facade.jax.numpy.util import promote_inexact
from simulator.randomness.prng import UINTS
from simulator.randomness.random_keys import check_key, split_typed
from simulator.randomness.samplers import check_shape, gumbel, random_words, uniform
from simulator.types.dtypes import DType, iinfo, int32, uint32


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
    check_shape("randint", shape, base.shape(minval), base.shape(maxval))
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
    higher, lower = random_words(k1, info.bits, shape), random_words(k2, info.bits, shape)
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
        order = random_words(subkey, 32, x.shape)
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
        order = _weighted(key, shape, replace, p, inputs, draws, mode)
        result = order if arr.ndim == 0 else jnp.take(arr, order, axis)
    elif replace:
        order = randint(key, shape, 0, inputs)
        result = order if arr.ndim == 0 else jnp.take(arr, order, axis)
    else:
        slices = (slice(None),) * axis + (slice(draws),)
        result = permutation(key, inputs if arr.ndim == 0 else arr, axis)[slices]
    return result.reshape(shape if arr.ndim == 0 else
                          arr.shape[:axis] + tuple(shape) + arr.shape[axis + 1:])


def _weighted(key: Any, shape: Sequence, replace: bool, p: Any, inputs: int, draws: int,
              mode: str | None) -> Any:
    # Places drawn with probabilities: by their running sums, or the largest of noise.
    p, = promote_inexact(p)
    if p.shape != (inputs,):
        raise ValueError("p must be None or a 1D vector with the same size as a.shape[axis]. p has "
                         f"shape {p.shape} and a.shape[axis] is {inputs}.")
    if replace:
        sums = jnp.cumsum(p)
        r = sums[-1] * (1 - uniform(key, shape, dtype=sums.dtype))
        return jnp.searchsorted(sums, r).astype(int)
    noisy = gumbel(key, (inputs,), dtype=p.dtype, mode=mode) + jnp.log(p)
    return lax.top_k(noisy, k=draws)[1].astype(int)


def categorical(key: Any, logits: Any, axis: int = -1, shape: Any = None, replace: bool = True,
                mode: str | None = None, *, out_sharding: Any = None) -> Any:
    """``jax.random.categorical``: indices, by the Gumbel trick."""
    key, _ = check_key("categorical", key)
    logits = jnp.asarray(logits)
    if not logits.ndim:
        raise IndexError(f"index {axis} is out of bounds for axis 0 with size 0")
    batch = tuple(n for i, n in enumerate(logits.shape) if i != axis % logits.ndim)
    if shape is None:
        shape = batch
    else:
        shape = base.canonical_shape(shape)
        check_shape("categorical", shape, batch)
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
