"""``jax.scipy.stats.poisson``: the Poisson distribution, its mass.

JAX source: ``jax/_src/scipy/stats/poisson.py``. None of these is a jitted function.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import base
from simulator.facade.jax.numpy.util import promote_args_inexact
from simulator.facade.jax.scipy import special
from simulator.facade.public import missing as _missing

__getattr__ = _missing("jax.scipy.stats.poisson")


def logpmf(k: Any, mu: Any, loc: Any = 0) -> Any:
    """``jax.scipy.stats.poisson.logpmf``."""
    k, mu, loc = promote_args_inexact("poisson.logpmf", k, mu, loc)
    zero = base.const(k, 0)
    x = lax.sub(k, loc)
    found = special.xlogy(x, mu) - special.gammaln(x + 1) - mu
    return jnp.where(jnp.logical_or(lax.lt(x, zero), lax.ne(jnp.round(k), k)), -math.inf, found)


def pmf(k: Any, mu: Any, loc: Any = 0) -> Any:
    """``jax.scipy.stats.poisson.pmf``."""
    return jnp.exp(logpmf(k, mu, loc))
