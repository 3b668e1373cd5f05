"""Most of ``jax.scipy.special``: logarithms, entropies, gamma and friends.

JAX source: ``jax/_src/scipy/special.py``.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.api import jit
from simulator.autodiff.custom_jvp import custom_jvp
from simulator.errors import OutOfScope
from simulator.facade.jax import lax, nn
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import base
from simulator.facade.jax.numpy.util import promote_args_inexact


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


def factorial(n: Any, exact: bool = False) -> Any:
    """``jax.scipy.special.factorial``, by the gamma function."""
    if exact:
        raise NotImplementedError("factorial with exact=True")
    [n] = promote_args_inexact("factorial", n)
    return jnp.where(n < 0, 0, lax.exp(lax.lgamma(n + 1)))


@jit
def gammasgn(x):
    """``jax.scipy.special.gammasgn``: the sign of the gamma function."""
    x, = promote_args_inexact("gammasgn", x)
    if x.dtype.family == "c":
        raise ValueError("gammasgn does not support complex-valued inputs.")
    number = x.dtype.type
    whole = lax.floor(x)
    below = x < 0
    return jnp.select([below & (x == whole) | jnp.isnan(x),
                       below & (whole % 2 != 0) | (x == 0) & jnp.signbit(x)],
                      [number(math.nan), number(-1.)], number(1.))


def gamma(x: Any) -> Any:
    """``jax.scipy.special.gamma`` of real numbers."""
    x, = promote_args_inexact("gamma", x)
    if x.dtype.family == "c":
        raise OutOfScope("jax.scipy.special.gamma of complex numbers", "use real ones")
    return gammasgn(x) * lax.exp(lax.lgamma(x))


@custom_jvp
def xlog1py(x: Any, y: Any) -> Any:
    """``jax.scipy.special.xlog1py``: 0 where x is 0, unless y is NaN."""
    x, y = promote_args_inexact("xlog1py", x, y)
    x_ok = x != 0.
    return jnp.where(x_ok | jnp.isnan(y), lax.mul(x, lax.log1p(y)), jnp.zeros_like(x))


@xlog1py.defjvp
def _xlog1py_jvp(primals, tangents):
    (x, y), (dx, dy) = primals, tangents
    result = xlog1py(x, y)
    return result, (dx * lax.log1p(y) + dy * x / (1 + y)).astype(result.dtype)


def _real_pair(name: str, p: Any, q: Any) -> list:
    p, q = promote_args_inexact(name, p, q)
    if p.dtype.family == "c":
        raise ValueError(f"{name} does not support complex-valued inputs.")
    return [p, q]


def rel_entr(p: Any, q: Any) -> Any:
    """``jax.scipy.special.rel_entr``: p log(p / q)."""
    p, q = _real_pair("rel_entr", p, q)
    zero = base.const(p, 0.)
    both = lax.bitwise_and(lax.gt(p, zero), lax.gt(q, zero))
    none = lax.bitwise_and(lax.eq(p, zero), lax.ge(q, zero))
    safe_p, safe_q = jnp.where(both, p, 1), jnp.where(both, q, 1)
    found = lax.sub(_xlogx(safe_p), xlogy(safe_p, safe_q))
    return jnp.where(both, found, jnp.where(none, zero, math.inf))


def kl_div(p: Any, q: Any) -> Any:
    """``jax.scipy.special.kl_div``."""
    p, q = _real_pair("kl_div", p, q)
    return rel_entr(p, q) - p + q


def _box_cox(name: str, log: Any) -> Any:
    def fun(x: Any, lmbda: Any) -> Any:
        x, lmbda = promote_args_inexact(name, x, lmbda)
        zero = lmbda == 0
        safe = jnp.where(zero, jnp.ones_like(lmbda), lmbda)
        log_x = log(x)
        return jnp.where(zero, log_x, jnp.expm1(safe * log_x) / safe)
    fun.__name__ = fun.__qualname__ = name
    fun.__doc__ = f"``jax.scipy.special.{name}``."
    return fun


boxcox = _box_cox("boxcox", jnp.log)
boxcox1p = _box_cox("boxcox1p", jnp.log1p)


def comb(N: Any, k: Any, *, repetition: bool = False) -> Any:  # noqa: N803
    """``jax.scipy.special.comb``, by the gamma function."""
    n, k = promote_args_inexact("comb", N, k)
    if repetition:
        found = (k == 0) & (n >= 0)
        return jnp.where(found, 1., comb(n + k - 1, k, repetition=False))
    ok = (k <= n) & (n >= 0) & (k >= 0)
    n, k = jnp.where(ok, n, 0.), jnp.where(ok, k, 0.)
    found = lax.exp(gammaln(n + 1) - gammaln(k + 1) - gammaln(n + 1 - k))
    return jnp.where(ok, found, 0.)
