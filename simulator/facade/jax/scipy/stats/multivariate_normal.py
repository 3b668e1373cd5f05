"""``jax.scipy.stats.multivariate_normal``: the normal distribution of vectors.

JAX source: ``jax/_src/scipy/stats/multivariate_normal.py``. None of these is a jitted function.
"""

from __future__ import annotations

import functools
import math
from typing import Any

from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.numpy.util import promote_inexact
from simulator.facade.public import missing as _missing

__getattr__ = _missing("jax.scipy.stats.multivariate_normal")


def logpdf(x: Any, mean: Any, cov: Any, allow_singular: None = None) -> Any:
    """``jax.scipy.stats.multivariate_normal.logpdf``. ValueError for shapes that do not fit."""
    if allow_singular is not None:
        raise NotImplementedError("allow_singular argument of multivariate_normal.logpdf")
    x, mean, cov = promote_inexact(x, mean, cov)
    if not mean.shape:
        return -1 / 2 * jnp.square(x - mean) / cov - 1 / 2 * (jnp.log(2 * math.pi) + jnp.log(cov))
    n = mean.shape[-1]
    if not cov.shape:
        y = x - mean
        return (-1 / 2 * jnp.einsum("...i,...i->...", y, y) / cov
                - n / 2 * (jnp.log(2 * math.pi) + jnp.log(cov)))
    if cov.ndim < 2 or cov.shape[-2:] != (n, n):
        raise ValueError("multivariate_normal.logpdf got incompatible shapes")
    factor = lax.linalg.cholesky(cov)
    solver = functools.partial(lax.linalg.triangular_solve, lower=True, transpose_a=True)
    y = jnp.vectorize(solver, signature="(n,n),(n)->(n)")(factor, x - mean)
    return (-1 / 2 * jnp.einsum("...i,...i->...", y, y) - n / 2 * jnp.log(2 * math.pi)
            - jnp.log(factor.diagonal(axis1=-1, axis2=-2)).sum(-1))


def pdf(x: Any, mean: Any, cov: Any) -> Any:
    """``jax.scipy.stats.multivariate_normal.pdf``."""
    return lax.exp(logpdf(x, mean, cov))
