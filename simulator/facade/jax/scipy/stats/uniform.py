"""``jax.scipy.stats.uniform``: the uniform distribution.

JAX source: ``jax/_src/scipy/stats/uniform.py``. None of these is a jitted function.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.numpy.util import promote_args_inexact
from simulator.facade.public import missing as _missing

__getattr__ = _missing("jax.scipy.stats.uniform")



def logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.uniform.logpdf``."""
    x, loc, scale = promote_args_inexact("uniform.logpdf", x, loc, scale)
    inside = lax.neg(lax.log(scale))
    outside = jnp.logical_or(lax.gt(x, lax.add(loc, scale)), lax.lt(x, loc))
    return jnp.where(outside, -math.inf, inside)


def pdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.uniform.pdf``."""
    return lax.exp(logpdf(x, loc, scale))


def cdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.uniform.cdf``."""
    x, loc, scale = promote_args_inexact("uniform.cdf", x, loc, scale)
    zero, one = jnp.array(0, x.dtype), jnp.array(1, x.dtype)
    places = [lax.lt(x, loc), lax.gt(x, lax.add(loc, scale)),
              lax.ge(x, loc) & lax.le(x, lax.add(loc, scale))]
    return jnp.select(places, [zero, one, lax.div(lax.sub(x, loc), scale)])


def ppf(q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.uniform.ppf``."""
    q, loc, scale = promote_args_inexact("uniform.ppf", q, loc, scale)
    return jnp.where(jnp.isnan(q) | (q < 0) | (q > 1), math.nan,
                     lax.add(loc, lax.mul(scale, q)))
