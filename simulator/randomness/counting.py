"""``jax.random.poisson``: how many of what happens at a rate, drawn in loops.

JAX source: ``jax/_src/random/core.py: poisson, _poisson, _poisson_knuth,
_poisson_rejection``. Both ways are computed, and each element takes its own.

Simplified: not the approximate method.
"""

from __future__ import annotations

from typing import Any

from simulator.api import jit
from simulator.errors import OutOfScope
from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import base
from simulator.facade.jax.lax import elementwise as el
from simulator.randomness.random_keys import check_key, split_typed
from simulator.randomness.samplers import uniform
from simulator.types.dtypes import bool_, float32, iinfo


def poisson(key: Any, lam: Any, shape: Any = None, dtype: Any = None, *, method: str = "exact",
            out_sharding: Any = None) -> Any:
    """``jax.random.poisson``.

    Errors: NotImplementedError with the rbg generators; OutOfScope for the approximate method.
    """
    key, _ = check_key("poisson", key)
    if method not in ("exact", "approximate"):
        raise ValueError("method argument to `poisson` must be one of {'exact', 'approximate'}, got "
                         f"{method!r}")
    chosen = base.user_dtype(int if dtype is None else dtype)
    shape = base.shape(lam) if shape is None else base.canonical_shape(shape)
    base.no_out_sharding(out_sharding, "jax.random.poisson")
    if method == "approximate":
        raise OutOfScope("jax.random.poisson(method='approximate')", "leave the option out")
    lam = jnp.broadcast_to(lam, shape)
    if key.dtype.impl != "threefry2x32":
        raise NotImplementedError("`poisson` with method='exact' is only implemented for the "
                                  f"threefry2x32 RNG, not {key.dtype.impl}")
    return _poisson(key, lax.convert_element_type(lam, float32), shape=shape, dtype=chosen)


@jit(static_argnums=(2, 3, 4))
def _poisson_knuth(key, lam, shape, dtype, max_iters):
    def body_fn(carry):
        i, k, rng, log_prod = carry
        rng, subkey = split_typed(rng)
        k = lax.select(log_prod > -lam, k + 1, k)
        u = uniform(subkey, shape, float32)
        return i + 1, k, rng, log_prod + jnp.log(u)

    def cond_fn(carry):
        i, log_prod = carry[0], carry[3]
        return (log_prod > -lam).any() & (i < max_iters)
    first = lax.full_like(lam, 0, dtype, shape)
    log_rate = lax.full_like(lam, 0, float32, shape)
    k = lax.while_loop(cond_fn, body_fn, (0, first, key, log_rate))[1]
    return (k - 1).astype(dtype)


@jit(static_argnums=(2, 3, 4))
def _poisson_rejection(key, lam, shape, dtype, max_iters):
    log_lam = lax.log(lam)
    b = 0.931 + 2.53 * lax.sqrt(lam)
    a = -0.059 + 0.02483 * b
    inv_alpha = 1.1239 + 1.1328 / (b - 3.4)
    v_r = 0.9277 - 3.6224 / (b - 2)

    def body_fn(carry):
        i, k_out, accepted, key = carry
        key, subkey_0, subkey_1 = split_typed(key, 3)
        u = uniform(subkey_0, shape, lam.dtype) - 0.5
        v = uniform(subkey_1, shape, lam.dtype)
        u_shifted = 0.5 - abs(u)
        k = lax.floor((2 * a / u_shifted + b) * u + lam + 0.43)
        s = lax.log(v * inv_alpha / (a / (u_shifted * u_shifted) + b))
        t = -lam + k * log_lam - lax.lgamma(k + 1)
        at_once = (u_shifted >= 0.07) & (v <= v_r)
        reject = (k < 0) | ((u_shifted < 0.013) & (v > u_shifted))
        fits = s <= t
        accept = at_once | (~reject & fits)
        k_out = lax.select(accept, k, k_out)
        accepted |= accept
        return i + 1, k_out, accepted, key

    def cond_fn(carry):
        i, _, accepted, _ = carry
        return (~accepted).any() & (i < max_iters)
    first = lax.full_like(lam, -1, lam.dtype, shape)
    accepted = lax.full_like(lam, False, bool_, shape)
    k = lax.while_loop(cond_fn, body_fn, (0, first, accepted, key))[1]
    return k.astype(dtype)


@jit(static_argnums=(2, 3))
def _poisson(key, lam, shape, dtype):
    small = el.isnan(lam) | (lam < 10)
    low = lax.select(small, lam, lax.full_like(lam, 0.))
    high = lax.select(small, lax.full_like(lam, 1e5), lam)
    most = dtype.type(iinfo(dtype).max)
    found = lax.select(small, _poisson_knuth(key, low, shape, dtype, most),
                       _poisson_rejection(key, high, shape, dtype, most))
    return lax.select(lam == 0, jnp.zeros_like(found), found)
