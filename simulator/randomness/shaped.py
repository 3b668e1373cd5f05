"""Samplers made of a few operations on others: geometric, pareto, rayleigh, triangular, wald,
f, generalized_normal, ball, double_sided_maxwell, orthogonal.

JAX source: ``jax/_src/random/core.py``.
"""

from __future__ import annotations

import operator
from typing import Any

from simulator.api import jit
from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import base
from simulator.facade.jax.numpy.util import check_arraylike, promote_inexact
from simulator.randomness.further import maxwell
from simulator.randomness.gammas import _shape, chisquare, gamma
from simulator.randomness.random_keys import check_key, split, split_typed
from simulator.randomness.samplers import (
    _dtype,
    check_safe_to_cast,
    check_shape,
    exponential,
    normal,
    rademacher,
    uniform,
)


def _sampled(name: str, function: Any, key: Any, params: tuple, shape: Any, dtype: Any,
             out_sharding: Any, kind: tuple[str, str] = ("f", "a float"), safe: bool = True) -> Any:
    # What all of them do first; `safe`: no parameter may lose digits.
    key, _ = check_key(name, key)
    families, words = kind
    chosen = _dtype(dtype, families, name, words)
    shape = _shape(name, shape, *params)
    base.no_out_sharding(out_sharding, f"jax.random.{name}")
    if safe:
        check_safe_to_cast(name, chosen, *params)
    return function(key, *params, shape=shape, dtype=chosen)


def geometric(key: Any, p: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
              ) -> Any:
    """``jax.random.geometric``: the number of trials up to the first success."""
    def function(key: Any, p: Any, *, shape: tuple, dtype: Any) -> Any:
        return _geometric(key, p, shape, dtype, None)
    return _sampled("geometric", function, key, (p,), shape, int if dtype is None else dtype,
                    out_sharding, ("iu", "an int"), safe=False)


@jit(static_argnums=(2, 3, 4))
def _geometric(key, p, shape, dtype, out_sharding):
    check_arraylike("geometric", p)
    [p] = promote_inexact(p)
    u = uniform(key, shape, p.dtype)
    u = jnp.where(u == 0, 1, u)
    log_u = lax.log(u)
    log_one_minus_p = jnp.broadcast_to(lax.log1p(-p), shape)
    return (lax.floor(lax.div(log_u, log_one_minus_p)) + 1).astype(dtype)


def pareto(key: Any, b: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
           ) -> Any:
    """``jax.random.pareto``."""
    return _sampled("pareto", _pareto, key, (b,), shape, dtype, out_sharding)


@jit(static_argnums=(2, 3))
def _pareto(key, b, shape, dtype):
    b = lax.convert_element_type(b, dtype)
    return lax.exp(exponential(key, shape, dtype) / b)


def rayleigh(key: Any, scale: Any, shape: Any = None, dtype: Any = None, *,
             out_sharding: Any = None) -> Any:
    """``jax.random.rayleigh``."""
    return _sampled("rayleigh", _rayleigh, key, (scale,), shape, dtype, out_sharding)


@jit(static_argnums=(2, 3))
def _rayleigh(key, scale, shape, dtype):
    u = uniform(key, shape, dtype)
    scale = jnp.broadcast_to(scale.astype(dtype), shape)
    log_u = lax.log(u)
    return lax.mul(scale, lax.sqrt(lax.mul(log_u, base.const(scale, -2))))


def triangular(key: Any, left: Any, mode: Any, right: Any, shape: Any = None, dtype: Any = None,
               *, out_sharding: Any = None) -> Any:
    """``jax.random.triangular``."""
    return _sampled("triangular", _triangular, key, (left, mode, right), shape, dtype,
                    out_sharding)


@jit(static_argnums=(4, 5), inline=True)
def _triangular(key, left, mode, right, shape, dtype):
    left = jnp.broadcast_to(lax.convert_element_type(left, dtype), shape)
    right = jnp.broadcast_to(lax.convert_element_type(right, dtype), shape)
    mode = jnp.broadcast_to(lax.convert_element_type(mode, dtype), shape)
    share = (mode - left) / (right - left)
    u = uniform(key, shape, dtype)
    rising = left + lax.sqrt(u * (right - left) * (mode - left))
    falling = right - lax.sqrt((1 - u) * (right - left) * (right - mode))
    return lax.select(u < share, rising, falling)


def wald(key: Any, mean: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
         ) -> Any:
    """``jax.random.wald``."""
    return _sampled("wald", _wald, key, (mean,), shape, dtype, out_sharding)


@jit(static_argnums=(2, 3))
def _wald(key, mean, shape, dtype):
    k1, k2 = split_typed(key, 2)
    mean = jnp.broadcast_to(mean.astype(dtype), shape)
    v = normal(k1, shape, dtype)
    z = uniform(k2, shape, dtype)
    y = lax.integer_pow(v, 2)
    y_squared = lax.integer_pow(y, 2)
    mean_squared = lax.integer_pow(mean, 2)
    root = lax.sqrt(4 * mean * y + mean_squared * y_squared)
    x = mean + mean_squared * y / 2 - mean / 2 * root
    return lax.select(lax.le(z, mean / (mean + x)), x, mean_squared / x)


def f(key: Any, dfnum: Any, dfden: Any, shape: Any = None, dtype: Any = None, *,
      out_sharding: Any = None) -> Any:
    """``jax.random.f``."""
    def function(key: Any, dfnum: Any, dfden: Any, *, shape: tuple, dtype: Any) -> Any:
        return _f(key, dfnum, dfden, shape, dtype, None)
    return _sampled("f", function, key, (dfnum, dfden), shape, dtype, out_sharding)


@jit(static_argnums=(3, 4, 5))
def _f(key, dfnum, dfden, shape, dtype, out_sharding):
    dfden = lax.convert_element_type(dfden, dtype)
    dfnum = lax.convert_element_type(dfnum, dtype)
    key_den, key_num = split_typed(key)
    above = chisquare(key_num, dfnum, shape, dtype)
    below = chisquare(key_den, dfden, shape, dtype)
    return lax.div(lax.div(above, dfnum), lax.div(below, dfden))


def generalized_normal(key: Any, p: Any, shape: Any = (), dtype: Any = None, *,
                       out_sharding: Any = None) -> Any:
    """``jax.random.generalized_normal``."""
    shape = base.canonical_shape(shape)
    key, _ = check_key("generalized_normal", key)
    chosen = _dtype(dtype, "f", "generalized_normal", "a float")
    base.no_out_sharding(out_sharding, "jax.random.generalized_normal")
    return _generalized_normal(key, p, shape=shape, dtype=chosen)


@jit(static_argnums=(2, 3))
def _generalized_normal(key, p, shape, dtype):
    keys = split(key)
    g = gamma(keys[0], 1 / p, shape, dtype)
    r = rademacher(keys[1], shape, dtype)
    return r * g ** (1 / p)


def ball(key: Any, d: Any, p: Any = 2, shape: Any = (), dtype: Any = None, *,
         out_sharding: Any = None) -> Any:
    """``jax.random.ball``: points in a ball of `d` dimensions."""
    shape = base.canonical_shape(shape)
    key, _ = check_key("ball", key)
    chosen = _dtype(dtype, "f", "ball", "a float")
    d = base.concrete(operator.index, d, "The error occurred in jax.random.ball()")
    base.no_out_sharding(out_sharding, "jax.random.ball")
    return _ball(key, p, d=d, shape=shape, dtype=chosen)


@jit(static_argnums=(2, 3, 4))
def _ball(key, p, d, shape, dtype):
    k1, k2 = split(key)
    g = generalized_normal(k1, p, (*shape, d), dtype)
    e = exponential(k2, shape, dtype)
    return g / (((jnp.abs(g) ** p).sum(-1) + e) ** (1 / p))[..., None]


def double_sided_maxwell(key: Any, loc: Any, scale: Any, shape: Any = (), dtype: Any = None
                         ) -> Any:
    """``jax.random.double_sided_maxwell``."""
    key, _ = check_key("double_sided_maxwell", key)
    chosen = _dtype(dtype, "f", "double_sided_maxwell", "a float")
    return _double_sided_maxwell(key, loc, scale, base.canonical_shape(shape), chosen)


@jit(static_argnums=(3, 4))
def _double_sided_maxwell(key, loc, scale, shape, dtype):
    own = lax.broadcast_shapes(base.shape(loc), base.shape(scale))
    shape = (shape or own) + own
    maxwell_key, sign_key = split_typed(key)
    size = maxwell(maxwell_key, shape=shape, dtype=dtype)
    sign = rademacher(sign_key, shape=shape, dtype=dtype)
    return sign * size * scale + loc


def orthogonal(key: Any, n: Any, shape: Any = (), dtype: Any = None, m: Any = None, *,
               out_sharding: Any = None) -> Any:
    """``jax.random.orthogonal``: matrices with orthonormal columns."""
    m = n if m is None else m
    shape = base.canonical_shape(shape)
    key, _ = check_key("orthogonal", key)
    chosen = _dtype(dtype, "fc", "orthogonal", "a float or complex dtype")
    check_shape("orthogonal", shape)
    n, m = (base.concrete(operator.index, v, "The error occurred in jax.random.orthogonal()")
            for v in (n, m))
    base.no_out_sharding(out_sharding, "jax.random.orthogonal")
    return _orthogonal(key, n=n, _m=m, shape=shape, dtype=chosen)


@jit(static_argnums=(1, 2, 3, 4))
def _orthogonal(key, n, _m, shape, dtype):
    z = normal(key, (*shape, max(n, _m), min(n, _m)), dtype)
    q, r = jnp.linalg.qr(z)
    d = jnp.linalg.diagonal(r)
    x = q * jnp.expand_dims(jnp.sign(d), -2)
    return x.mT if n < _m else x
