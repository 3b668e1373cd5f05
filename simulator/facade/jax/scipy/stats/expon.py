"""``jax.scipy.stats.expon``: the exponential distribution.

JAX source: ``jax/_src/scipy/stats/expon.py``. None of these is a jitted function.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.numpy.util import promote_args_inexact
from simulator.facade.public import missing as _missing

__getattr__ = _missing("jax.scipy.stats.expon")



def logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.expon.logpdf``."""
    x, loc, scale = promote_args_inexact("expon.logpdf", x, loc, scale)
    log_scale = lax.log(scale)
    linear = lax.div(lax.sub(x, loc), scale)
    found = lax.neg(lax.add(linear, log_scale))
    return jnp.where(lax.lt(x, loc), -math.inf, found)


def pdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.expon.pdf``."""
    return lax.exp(logpdf(x, loc, scale))


def cdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.expon.cdf``."""
    x, loc, scale = promote_args_inexact("expon.cdf", x, loc, scale)
    scaled = lax.div(lax.sub(loc, x), scale)
    return jnp.where(lax.lt(x, loc), jnp.zeros_like(scaled), lax.neg(lax.expm1(scaled)))


def logsf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.expon.logsf``."""
    x, loc, scale = promote_args_inexact("expon.sf", x, loc, scale)
    scaled = lax.div(lax.sub(loc, x), scale)
    return jnp.where(lax.lt(x, loc), jnp.zeros_like(scaled), scaled)


def sf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.expon.sf``."""
    return lax.exp(logsf(x, loc, scale))


def logcdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.expon.logcdf``."""
    return lax.log1p(lax.neg(sf(x, loc, scale)))


def ppf(q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.expon.ppf``."""
    q, loc, scale = promote_args_inexact("expon.ppf", q, loc, scale)
    return jnp.where(jnp.isnan(q) | (q < 0) | (q > 1), math.nan,
                     lax.sub(loc, lax.mul(scale, lax.log1p(lax.neg(q)))))
