"""``jax.scipy.stats.laplace``: the Laplace distribution.

JAX source: ``jax/_src/scipy/stats/laplace.py``. None of these is a jitted function.
"""

from __future__ import annotations

from typing import Any

from simulator.facade.jax import lax
from simulator.facade.jax.lax import base
from simulator.facade.jax.numpy.util import promote_args_inexact
from simulator.facade.public import missing as _missing

__getattr__ = _missing("jax.scipy.stats.laplace")



def logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.laplace.logpdf``."""
    x, loc, scale = promote_args_inexact("laplace.logpdf", x, loc, scale)
    two = base.const(x, 2)
    linear = lax.div(lax.abs(lax.sub(x, loc)), scale)
    return lax.neg(lax.add(linear, lax.log(lax.mul(two, scale))))


def pdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.laplace.pdf``."""
    return lax.exp(logpdf(x, loc, scale))


def cdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.laplace.cdf``."""
    x, loc, scale = promote_args_inexact("laplace.cdf", x, loc, scale)
    half, one, zero = base.const(x, 0.5), base.const(x, 1), base.const(x, 0)
    away = lax.div(lax.sub(x, loc), scale)
    return lax.select(lax.le(away, zero), lax.mul(half, lax.exp(away)),
                      lax.sub(one, lax.mul(half, lax.exp(lax.neg(away)))))
