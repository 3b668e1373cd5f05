"""``jax.scipy.stats.logistic``: the logistic distribution.

JAX source: ``jax/_src/scipy/stats/logistic.py``. None of these is a jitted function.
"""

from __future__ import annotations

from typing import Any

from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import base
from simulator.facade.jax.numpy.util import promote_args_inexact
from simulator.facade.jax.scipy import special
from simulator.facade.public import missing as _missing

__getattr__ = _missing("jax.scipy.stats.logistic")



def logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.logistic.logpdf``."""
    x, loc, scale = promote_args_inexact("logistic.logpdf", x, loc, scale)
    x = lax.div(lax.sub(x, loc), scale)
    two = base.const(x, 2)
    half = lax.div(x, two)
    return lax.sub(lax.mul(lax.neg(two), jnp.logaddexp(half, lax.neg(half))), lax.log(scale))


def pdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.logistic.pdf``."""
    return lax.exp(logpdf(x, loc, scale))


def cdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.logistic.cdf``."""
    x, loc, scale = promote_args_inexact("logistic.cdf", x, loc, scale)
    return special.expit(lax.div(lax.sub(x, loc), scale))


def sf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.logistic.sf``."""
    x, loc, scale = promote_args_inexact("logistic.sf", x, loc, scale)
    return special.expit(lax.neg(lax.div(lax.sub(x, loc), scale)))


def ppf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.logistic.ppf``."""
    x, loc, scale = promote_args_inexact("logistic.ppf", x, loc, scale)
    return lax.add(lax.mul(special.logit(x), scale), loc)


def isf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.logistic.isf``."""
    x, loc, scale = promote_args_inexact("logistic.isf", x, loc, scale)
    return lax.add(lax.mul(lax.neg(special.logit(x)), scale), loc)
