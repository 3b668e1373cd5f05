"""``jax.scipy.stats.gamma``: the gamma distribution, its density.

JAX source: ``jax/_src/scipy/stats/gamma.py``. None of these is a jitted function.
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

__getattr__ = _missing("jax.scipy.stats.gamma")



def logpdf(x: Any, a: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.gamma.logpdf``."""
    x, a, loc, scale = promote_args_inexact("gamma.logpdf", x, a, loc, scale)
    ok = lax.ge(x, loc)
    one = base.const(x, 1)
    y = jnp.where(ok, lax.div(lax.sub(x, loc), scale), one)
    linear = lax.sub(special.xlogy(lax.sub(a, one), y), y)
    shape_terms = lax.add(special.gammaln(a), lax.log(scale))
    return jnp.where(ok, lax.sub(linear, shape_terms), -math.inf)


def pdf(x: Any, a: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """``jax.scipy.stats.gamma.pdf``."""
    return lax.exp(logpdf(x, a, loc, scale))
