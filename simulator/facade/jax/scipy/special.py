"""``jax.scipy.special``: logarithms of sums, the normal distribution, gamma and friends.

JAX source: ``jax/_src/scipy/special.py``; ``jax/_src/lax/special.py: ndtr``.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.autodiff.custom_jvp import custom_jvp
from simulator.facade.jax import lax, nn
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import base
from simulator.facade.jax.numpy.exponentials import logsumexp
from simulator.facade.jax.numpy.util import promote_args_inexact
from simulator.facade.public import missing as _missing

__getattr__ = _missing("jax.scipy.special")


def softmax(x: Any, /, *, axis: Any = None) -> Any:
    """``jax.scipy.special.softmax``: over all axes unless told."""
    return nn.softmax(x, axis=axis)


def log_softmax(x: Any, /, *, axis: Any = None) -> Any:
    """``jax.scipy.special.log_softmax``: over all axes unless told."""
    return nn.log_softmax(x, axis=axis)


def _of_one(name: str, operation: Any) -> Any:
    def fun(x: Any) -> Any:
        return operation(*promote_args_inexact(name, x))
    fun.__name__ = fun.__qualname__ = name
    fun.__doc__ = f"``jax.scipy.special.{name}``."
    return fun


expit = _of_one("expit", lax.logistic)
erf = _of_one("erf", lax.erf)
erfc = _of_one("erfc", lax.erfc)
erfinv = _of_one("erfinv", lax.erf_inv)
gammaln = _of_one("gammaln", lax.lgamma)
digamma = _of_one("digamma", lax.digamma)
i0e = _of_one("i0e", lax.bessel_i0e)
i1e = _of_one("i1e", lax.bessel_i1e)


@custom_jvp
def logit(x: Any) -> Any:
    """``jax.scipy.special.logit``."""
    [x] = promote_args_inexact("logit", x)
    return lax.log(lax.div(x, lax.sub(base.const(x, 1), x)))


logit.defjvps(lambda g, ans, x: lax.div(g, lax.mul(x, lax.sub(base.const(x, 1), x))))


@custom_jvp
def xlogy(x: Any, y: Any) -> Any:
    """``jax.scipy.special.xlogy``: 0 where x is 0, unless y is NaN."""
    x, y = promote_args_inexact("xlogy", x, y)
    x_ok = x != 0.
    return jnp.where(x_ok | jnp.isnan(y), lax.mul(x, lax.log(y)), jnp.zeros_like(x))


@xlogy.defjvp
def _xlogy_jvp(primals, tangents):
    (x, y), (dx, dy) = primals, tangents
    result = xlogy(x, y)
    return result, (dx * lax.log(y) + dy * x / y).astype(result.dtype)


@custom_jvp
def _xlogx(x):
    return xlogy(x, x)


@_xlogx.defjvp
def _xlogx_jvp(primals, tangents):
    (x,), (dx,) = primals, tangents
    return _xlogx(x), dx * (lax.log(x) + 1)


def entr(x: Any) -> Any:
    """``jax.scipy.special.entr``: -x log x."""
    [x] = promote_args_inexact("entr", x)
    if x.dtype.family == "c":
        raise ValueError("entr does not support complex-valued inputs.")
    return lax.select(lax.lt(x, base.const(x, 0)), lax.full_like(x, -math.inf),
                      lax.neg(_xlogx(x)))


def ndtr(x: Any) -> Any:
    """``jax.scipy.special.ndtr``: the area under the normal curve left of x."""
    x = jnp.asarray(x)
    if x.dtype.name not in ("float32", "float64"):
        raise TypeError(f"x.dtype={x.dtype} is not supported, see docstring for supported types.")
    number = x.dtype.type
    bound = number(0.5) * number(math.sqrt(2))
    w = x * bound
    z = abs(w)
    y = lax.select(lax.lt(z, bound), number(1.) + lax.erf(w),
                   lax.select(lax.gt(w, number(0.)), number(2.) - lax.erfc(z), lax.erfc(z)))
    return number(0.5) * y


def factorial(n: Any, exact: bool = False) -> Any:
    """``jax.scipy.special.factorial``, by the gamma function."""
    if exact:
        raise NotImplementedError("factorial with exact=True")
    [n] = promote_args_inexact("factorial", n)
    return jnp.where(n < 0, 0, lax.exp(lax.lgamma(n + 1)))
