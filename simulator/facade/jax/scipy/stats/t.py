"""``jax.scipy.stats.t``: Student's t distribution.

JAX source: ``jax/_src/scipy/stats/t.py``. None of these is a jitted function.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.facade.jax import lax
from simulator.facade.jax.lax import base
from simulator.facade.jax.numpy.util import promote_args_inexact
from simulator.facade.public import missing as _missing

__getattr__ = _missing("jax.scipy.stats.t")



def logpdf(x: Any, df: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.t.logpdf``."""
    x, df, loc, scale = promote_args_inexact("t.logpdf", x, df, loc, scale)
    two = base.const(x, 2)
    scaled = lax.div(lax.sub(x, loc), scale)
    half = lax.div(df, two)
    more = lax.add(half, base.const(x, 0.5))
    factor = lax.mul(lax.mul(scale, scale), base.const(x, math.pi))
    factor = lax.div(lax.log(lax.mul(factor, df)), two)
    normalizer = lax.sub(lax.add(lax.lgamma(half), factor), lax.lgamma(more))
    quadratic = lax.div(lax.mul(scaled, scaled), df)
    return lax.neg(lax.add(normalizer, lax.mul(more, lax.log1p(quadratic))))


def pdf(x: Any, df: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.t.pdf``."""
    return lax.exp(logpdf(x, df, loc, scale))
