"""How many of some trials succeed: binomial and multinomial.

Few successes are counted by the gaps between them, many are drawn from a curve above their
distribution until one is accepted.

JAX source: ``jax/_src/random/core.py: binomial, _binomial_inversion, _btrs,
_stirling_approx_tail, multinomial``.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.api import jit
from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import base
from simulator.facade.jax.numpy.util import check_arraylike, promote_inexact
from simulator.randomness.random_keys import check_key, split
from simulator.randomness.samplers import _dtype, check_shape, uniform
from simulator.types.limits import finfo
from simulator.types.scalar_types import make

_TAIL = [0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509,
         0.0166446911898211, 0.0138761288230707, 0.0118967099458917, 0.0104112652619720,
         0.00925546218271273, 0.00833056343336287]
"""What Stirling's formula leaves out for the numbers from 0 to 9."""


def _beyond_stirling(k: Any) -> Any:
    known = jnp.array(_TAIL, dtype=k.dtype)
    small = k <= 9
    k = lax.clamp(base.const(k, 0.0), k, base.const(k, 9.0))
    square = (k + 1) * (k + 1)
    series = (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1)
    k = jnp.floor(k)
    return lax.select(small, known[jnp.asarray(k, dtype="int32")], series)


@jit(static_argnums=(3, 4, 5), inline=True)
def _binomial_inversion(key, count, prob, shape, dtype, max_iters):
    log1minusprob = jnp.log1p(-prob)

    def body_fn(carry):
        i, gaps, total, key = carry
        subkey, key = split(key)
        gaps_now = lax.select(total <= count, gaps + 1, gaps)
        u = uniform(subkey, shape, prob.dtype)
        gap = jnp.ceil(jnp.log(u) / log1minusprob)
        total = total + gap
        return i + 1, gaps_now, total, key

    def cond_fn(carry):
        i, total = carry[0], carry[2]
        return (total <= count).any() & (i < max_iters)

    gaps = lax.full_like(prob, 0, prob.dtype, shape)
    total = lax.full_like(prob, 0, prob.dtype, shape)
    k = lax.while_loop(cond_fn, body_fn, (0, gaps, total, key))[1]
    return (k - 1).astype(dtype)


@jit(static_argnums=(3, 4, 5), inline=True)
def _btrs(key, count, prob, shape, dtype, max_iters):
    stddev = jnp.sqrt(count * prob * (1 - prob))
    b = 1.15 + 2.53 * stddev
    a = -0.0873 + 0.0248 * b + 0.01 * prob
    c = count * prob + 0.5
    v_r = 0.92 - 4.2 / b
    r = prob / (1 - prob)
    alpha = (2.83 + 5.1 / b) * stddev
    m = jnp.floor((count + 1) * prob)

    def body_fn(carry):
        i, k_out, accepted, key = carry
        key, subkey_0, subkey_1 = split(key, 3)
        u = uniform(subkey_0, shape, prob.dtype)
        v = uniform(subkey_1, shape, prob.dtype)
        u = u - 0.5
        us = 0.5 - jnp.abs(u)
        accept1 = (us >= 0.07) & (v <= v_r)
        k = jnp.floor((2 * a / us + b) * u + c)
        reject = (k < 0) | (k > count)
        v = jnp.log(v * alpha / (a / (us * us) + b))
        bound = ((m + 0.5) * jnp.log((m + 1) / (r * (count - m + 1)))
                 + (count + 1) * jnp.log((count - m + 1) / (count - k + 1))
                 + (k + 0.5) * jnp.log(r * (count - k + 1) / (k + 1))
                 + _beyond_stirling(m)
                 + _beyond_stirling(count - m)
                 - _beyond_stirling(k)
                 - _beyond_stirling(count - k))
        accept2 = v <= bound
        accept = accept1 | (~reject & accept2)
        k_out = lax.select(accept, k, k_out)
        accepted |= accept
        return i + 1, k_out, accepted, key

    def cond_fn(carry):
        i, accepted = carry[0], carry[2]
        return (~accepted).any() & (i < max_iters)

    k_out = lax.full_like(prob, -1, prob.dtype, shape)
    carry = (0, k_out, jnp.full(shape, False, bool), key)
    return lax.while_loop(cond_fn, body_fn, carry)[1].astype(dtype)


@jit(static_argnums=(3, 4), inline=True)
def _binomial(key, count, prob, shape, dtype):
    if shape is None:
        shape = lax.broadcast_shapes(base.shape(count), base.shape(prob))
    else:
        check_shape("binomial", shape, base.shape(count), base.shape(prob))
    [prob] = promote_inexact(prob)
    count = lax.convert_element_type(count, prob.dtype)
    count = jnp.broadcast_to(count, shape)
    prob = jnp.broadcast_to(prob, shape)
    rare = prob < 0.5
    q = lax.select(rare, prob, 1.0 - prob)
    no_count = lax.ne(count, count) | (count < 0.0)
    endless = jnp.isinf(count)
    no_share = lax.ne(q, q)
    negative = q < 0.0
    q = lax.select(no_share | negative, lax.full_like(q, 0.01), q)
    by_gaps = no_count | (count * q <= 10.0)
    count = jnp.floor(count)
    few = lax.select(by_gaps, count, lax.full_like(count, 0.0))
    many = lax.select(by_gaps, lax.full_like(count, 1e4), count)
    q_many = lax.select(by_gaps, lax.full_like(q, 0.5), q)
    most = make(dtype, finfo(dtype).max)
    samples = lax.select(by_gaps, _binomial_inversion(key, few, q, shape, dtype, most),
                         _btrs(key, many, q_many, shape, dtype, most))
    invalid = negative | no_share | no_count
    samples = lax.select(invalid, jnp.full_like(samples, math.nan, dtype), samples)
    samples = lax.select(endless & ~invalid, jnp.full_like(samples, math.inf, dtype), samples)
    return lax.select(rare | no_count | no_share | endless, samples,
                      count.astype(dtype) - samples)


def binomial(key: Any, n: Any, p: Any, shape: Any = None, dtype: Any = None) -> Any:
    """``jax.random.binomial``."""
    key, _ = check_key("binomial", key)
    check_arraylike("binomial", n, p)
    chosen = _dtype(dtype, "f", "binomial", "a float")
    if shape is not None:
        shape = base.canonical_shape(shape)
    return _binomial(key, n, p, shape, chosen)


def multinomial(key: Any, n: Any, p: Any, *, shape: Any = None, dtype: Any = None,
                unroll: int | bool = 1) -> Any:
    """``jax.random.multinomial``: one kind after the other, of what is left."""
    key, _ = check_key("multinomial", key)
    check_arraylike("multinomial", n, p)
    n, p = promote_inexact(n, p)
    if shape is None:
        shape = p.shape
    n = jnp.broadcast_to(n, shape[:-1])
    p = jnp.broadcast_to(p, shape)

    def one(remainder, ratio_key):
        ratio, key = ratio_key
        count = binomial(key, remainder, ratio.clip(0, 1), dtype=remainder.dtype)
        return remainder - count, count

    p = jnp.moveaxis(p, -1, 0)
    remaining = lax.cumsum(p, 0, reverse=True)
    ratios = p / jnp.where(remaining == 0, 1, remaining)
    keys = split(key, ratios.shape[0])
    _, counts = lax.scan(one, n, (ratios, keys), unroll=unroll)
    return jnp.moveaxis(counts, 0, -1).astype(dtype)
