"""Samplers made of others: cauchy, lognormal, maxwell, multivariate_normal, weibull_min.

JAX source: ``jax/_src/random/core.py``.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.api import jit
from simulator.errors import OutOfScope
from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import base
from simulator.facade.jax.numpy.util import promote_inexact
from simulator.jaxprs import applying
from simulator.randomness.random_keys import check_key
from simulator.randomness.samplers import _dtype, _simple, normal, uniform
from simulator.types.limits import finfo
from simulator.types.scalar_types import float32

_ONE = float32(1)


def cauchy(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """``jax.random.cauchy``."""
    return _simple("cauchy", _cauchy, key, shape, dtype, out_sharding)


@jit(static_argnums=(1, 2))
def _cauchy(key, shape, dtype):
    u = uniform(key, shape, dtype, minval=finfo(dtype).eps, maxval=1.)
    pi = base.const(u, math.pi)
    return lax.tan(lax.mul(pi, lax.sub(u, base.const(u, 0.5))))


def lognormal(key: Any, sigma: Any = _ONE, shape: Any = None, dtype: Any = None, *,
              out_sharding: Any = None) -> Any:
    """``jax.random.lognormal``. OutOfScope: a `sigma` with axes, or of a wider float dtype."""
    key, _ = check_key("lognormal", key)
    chosen = _dtype(dtype, "f", "lognormal", "a float or complex dtype")
    shape = () if shape is None else base.canonical_shape(shape)
    base.no_out_sharding(out_sharding, "jax.random.lognormal")
    given = getattr(sigma, "dtype", chosen)
    if isinstance(sigma, (list, tuple)) or getattr(sigma, "shape", ()) \
            or str(given) not in ("float32", str(chosen)):
        raise OutOfScope("jax.random.lognormal with such a sigma",
                         "use jnp.exp(sigma * jax.random.normal(key, shape))")
    return _lognormal(key, sigma, shape=shape, dtype=chosen)


@jit(static_argnums=(2, 3), inline=True)
def _lognormal(key, sigma, shape, dtype):
    sigma = lax.convert_element_type(sigma, dtype)
    return lax.exp(normal(key, shape, dtype) * sigma)


def maxwell(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """``jax.random.maxwell``: the length of a vector of three normal numbers."""
    key, _ = check_key("maxwell", key)
    chosen = _dtype(dtype, "f", "maxwell", "a float")
    base.no_out_sharding(out_sharding, "jax.random.maxwell")
    return _maxwell(key, base.canonical_shape(shape), chosen, None)


@jit(static_argnums=(1, 2, 3))
def _maxwell(key, shape, dtype, out_sharding):
    return jnp.linalg.norm(normal(key=key, shape=(*shape, 3), dtype=dtype), axis=-1)


def weibull_min(key: Any, scale: Any, concentration: Any, shape: Any = (), dtype: Any = None
                ) -> Any:
    """``jax.random.weibull_min``."""
    key, _ = check_key("weibull_min", key)
    chosen = _dtype(dtype, "f", "weibull_min", "a float")
    return _weibull_min(key, scale, concentration, base.canonical_shape(shape), chosen)


@jit(static_argnums=(3, 4))
def _weibull_min(key, scale, concentration, shape, dtype):
    u = uniform(key=key, shape=shape, minval=0, maxval=1, dtype=dtype)
    return jnp.power(-jnp.log1p(-u), 1.0 / concentration) * scale


def multivariate_normal(key: Any, mean: Any, cov: Any, shape: Any = None, dtype: Any = None,
                        method: str = "cholesky", *, out_sharding: Any = None) -> Any:
    """``jax.random.multivariate_normal``.

    Errors: ValueError for an unknown method, and for shapes that do not fit.
    """
    key, _ = check_key("multivariate_normal", key)
    mean, cov = promote_inexact(mean, cov)
    if method not in ("svd", "eigh", "cholesky"):
        raise ValueError("method must be one of {'svd', 'eigh', 'cholesky'}")
    if method != "cholesky":
        raise OutOfScope(f"jax.random.multivariate_normal(method={method!r})",
                         "use method='cholesky'")
    base.no_out_sharding(out_sharding, "jax.random.multivariate_normal")
    chosen = mean.dtype if dtype is None else _dtype(dtype, "f", "multivariate_normal", "a float")
    if shape is not None:
        shape = base.canonical_shape(shape)
    return _multivariate_normal(key, mean, cov, shape=shape, dtype=chosen, method=method)


@jit(static_argnums=(3, 4, 5))
def _multivariate_normal(key, mean, cov, shape, dtype, method):
    if mean.ndim < 1:
        raise ValueError(f"multivariate_normal requires mean.ndim >= 1, got mean.ndim == {mean.ndim}")
    if cov.ndim < 2:
        raise ValueError(f"multivariate_normal requires cov.ndim >= 2, got cov.ndim == {cov.ndim}")
    n = mean.shape[-1]
    if cov.shape[-2:] != (n, n):
        raise ValueError(f"multivariate_normal requires cov.shape == (..., n, n) for n={n}, but got "
                         f"cov.shape == {cov.shape}.")
    if shape is None:
        shape = lax.broadcast_shapes(mean.shape[:-1], cov.shape[:-2])
    if cov.ndim > 3 or len(shape) > 1:
        raise OutOfScope("jax.random.multivariate_normal over several axes", "use one, or jax.vmap")
    factor = jnp.linalg.cholesky(cov)
    samples = normal(key, shape + mean.shape[-1:], dtype)
    with applying.states(jax_numpy_rank_promotion="allow"):
        # The letter stands for JAX's three dots.
        left, right = "b" * (factor.ndim - 2), "b" * (samples.ndim - 1)
        return mean + jnp.einsum(f"{left}ij,{right}j->{left or right}i", factor, samples)
