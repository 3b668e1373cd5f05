"""``jax.scipy.stats.bernoulli``: a coin.

JAX source: ``jax/_src/scipy/stats/bernoulli.py``. None of these is a jitted function.
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

__getattr__ = _missing("jax.scipy.stats.bernoulli")


def logpmf(k: Any, p: Any, loc: Any = 0) -> Any:
    """``jax.scipy.stats.bernoulli.logpmf``."""
    k, p, loc = promote_args_inexact("bernoulli.logpmf", k, p, loc)
    zero, one = base.const(k, 0), base.const(k, 1)
    x = lax.sub(k, loc)
    found = special.xlogy(x, p) + special.xlog1py(lax.sub(one, x), -p)
    return jnp.where(jnp.logical_or(lax.lt(x, zero), lax.gt(x, one)), -math.inf, found)


def pmf(k: Any, p: Any, loc: Any = 0) -> Any:
    """``jax.scipy.stats.bernoulli.pmf``."""
    return jnp.exp(logpmf(k, p, loc))
