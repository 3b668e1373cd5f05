"""``jax.scipy.stats.cauchy``: the Cauchy distribution, its density.

JAX source: ``jax/_src/scipy/stats/cauchy.py``. None of these is a jitted function.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.facade.jax import lax
from simulator.facade.jax.lax import base
from simulator.facade.jax.numpy.util import promote_args_inexact
from simulator.facade.public import missing as _missing

__getattr__ = _missing("jax.scipy.stats.cauchy")



def logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.cauchy.logpdf``."""
    x, loc, scale = promote_args_inexact("cauchy.logpdf", x, loc, scale)
    pi = base.const(x, math.pi)
    scaled = lax.div(lax.sub(x, loc), scale)
    normalizer = lax.log(lax.mul(pi, scale))
    return lax.neg(lax.add(normalizer, lax.log1p(lax.mul(scaled, scaled))))


def pdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.cauchy.pdf``."""
    return lax.exp(logpdf(x, loc, scale))
