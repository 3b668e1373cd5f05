"""``jax.numpy`` polynomials as arrays of coefficients, the highest power first.

JAX source: ``jax/_src/numpy/polynomial.py``.

Simplified: no `roots`, and `poly` of roots alone, for the model finds no eigenvalues of
matrices that are not symmetric.
"""

from __future__ import annotations

import operator
from typing import Any

from simulator.api import jit
from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base
from simulator.facade.jax.lax.convert import asarray as lax_asarray
from simulator.facade.jax.numpy.arithmetic import maximum, true_divide
from simulator.facade.jax.numpy.constructors import array
from simulator.facade.jax.numpy.contractions import dot, outer
from simulator.facade.jax.numpy.convolving import convolve
from simulator.facade.jax.numpy.creation import full, ones, zeros
from simulator.facade.jax.numpy.factoring import inv, lstsq
from simulator.facade.jax.numpy.further import vander
from simulator.facade.jax.numpy.joining import concatenate
from simulator.facade.jax.numpy.math_functions import sqrt
from simulator.facade.jax.numpy.ranges import arange
from simulator.facade.jax.numpy.reshaping import atleast_1d
from simulator.facade.jax.numpy.util import (
    ensure_array,
    ensure_arrays,
    promote_dtypes,
    promote_inexact,
)
from simulator.types.limits import finfo


@jit(static_argnames=("deg", "rcond", "full", "cov"))
def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    """``jax.numpy.polyfit``: the coefficients with the least squares."""
    x, y, *weights = ensure_arrays("polyfit", *((x, y) if w is None else (x, y, w)))
    deg = base.concrete(int, deg, "deg must be int")
    _check_fit(deg, x, y)
    rcond = base.concrete(float, len(x) * float(finfo(x.dtype).eps) if rcond is None else rcond,
                          "rcond must be float")
    powers, wanted = vander(x, deg + 1), y
    if weights:
        w, = promote_inexact(*weights)
        if w.ndim != 1:
            raise TypeError("expected a 1-d array for weights")
        if w.shape[0] != y.shape[0]:
            raise TypeError("expected w and y to have the same length")
        powers *= w[:, None]
        wanted *= w[:, None] if y.ndim == 2 else w
    scale = sqrt((powers * powers).sum(axis=0))
    powers /= scale[None, :]
    found, residuals, rank, values = lstsq(powers, wanted, rcond)
    found = (found.T / scale[None, :]).T if found.ndim > 1 else found / scale
    if full:
        return found, residuals, rank, values, lax_asarray(rcond)
    if not cov:
        return found
    return found, _covariance(powers, scale, residuals, x, y, cov, deg + 1)


def _check_fit(deg: int, x: Any, y: Any) -> None:
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if x.size == 0:
        raise TypeError("expected non-empty vector for x")
    if not 1 <= y.ndim <= 2:
        raise TypeError("expected 1D or 2D array for y")
    if x.shape[0] != y.shape[0]:
        raise TypeError("expected x and y to have same length")


def _covariance(powers: Any, scale: Any, residuals: Any, x: Any, y: Any, cov: Any, order: int
                ) -> Any:
    between = inv(dot(powers.T, powers))
    between /= outer(scale, scale)
    if cov == "unscaled":
        factor = array(1.0)
    elif len(x) <= order:
        raise ValueError("the number of data points must exceed order to scale the covariance "
                         "matrix")
    else:
        factor = residuals / (len(x) - order)
    if y.ndim == 1:
        factor = atleast_1d(factor)[None]
        return between * factor
    return between[:, :, None] * atleast_1d(factor)[None, None, :]


@jit
def poly(seq_of_zeros):
    """``jax.numpy.poly``: the coefficients of a polynomial with these roots."""
    zeros_ = ensure_array("poly", seq_of_zeros)
    zeros_ = atleast_1d(*promote_inexact(zeros_))
    if zeros_.ndim == 2 and zeros_.shape[0] == zeros_.shape[1] != 0:
        raise OutOfScope("jax.numpy.poly of a matrix", "give the roots")
    if zeros_.ndim != 1:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    dtype = zeros_.dtype
    if len(zeros_) == 0:
        return ones((), dtype=dtype)
    found = ones((1,), dtype=dtype)
    for k in range(len(zeros_)):
        found = convolve(found, array([1, -zeros_[k]], dtype=dtype), mode="full")
    return found


@jit
def polyadd(a1, a2):
    """``jax.numpy.polyadd``."""
    a1, a2 = promote_dtypes(*ensure_arrays("polyadd", a1, a2))
    if a2.shape[0] <= a1.shape[0]:
        return a1.at[-a2.shape[0]:].add(a2)
    return a2.at[-a1.shape[0]:].add(a1)


@jit
def polysub(a1, a2):
    """``jax.numpy.polysub``."""
    a1, a2 = promote_dtypes(*ensure_arrays("polysub", a1, a2))
    return polyadd(a1, -a2)


@jit(static_argnames=("m",))
def polyint(p, m=1, k=None):
    """``jax.numpy.polyint``: integrated `m` times, with the constants `k`."""
    m = base.concrete(operator.index, m, "'m' argument of jnp.polyint")
    p, k = promote_inexact(*ensure_arrays("polyint", p, 0 if k is None else k))
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    k = atleast_1d(k)
    if len(k) == 1:
        k = full((m,), k[0])
    if k.shape != (m,):
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or m.")
    if m == 0:
        return p
    grid = (arange(len(p) + m, dtype=p.dtype)[None] - arange(m, dtype=p.dtype)[:, None])
    factors = maximum(1, grid).prod(0)[::-1]
    return true_divide(concatenate((p, k)), factors)


@jit(static_argnames=("m",))
def polyder(p, m=1):
    """``jax.numpy.polyder``: differentiated `m` times."""
    p = ensure_array("polyder", p)
    m = base.concrete(operator.index, m, "'m' argument of jnp.polyder")
    p, = promote_inexact(p)
    if m < 0:
        raise ValueError("Order of derivative must be positive")
    if m == 0:
        return p
    factors = (arange(m, len(p), dtype=p.dtype)[None]
               - arange(m, dtype=p.dtype)[:, None]).prod(0)
    return p[:-m] * factors[::-1]


def polymul(a1: Any, a2: Any, *, trim_leading_zeros: bool = False) -> Any:
    """``jax.numpy.polymul``; it is no jitted function itself."""
    a1, a2 = promote_inexact(*ensure_arrays("polymul", a1, a2))
    _no_trim("polymul", trim_leading_zeros)
    if len(a1) == 0:
        a1 = zeros(1, dtype=a2.dtype)
    if len(a2) == 0:
        a2 = zeros(1, dtype=a1.dtype)
    return convolve(a1, a2, mode="full")


def polydiv(u: Any, v: Any, *, trim_leading_zeros: bool = False) -> tuple:
    """``jax.numpy.polydiv``: (quotient, remainder); it is no jitted function itself."""
    u, v = promote_inexact(*ensure_arrays("polydiv", u, v))
    _no_trim("polydiv", trim_leading_zeros)
    m, n = len(u) - 1, len(v) - 1
    scale = 1. / v[0]
    quotient = zeros(max(m - n + 1, 1), dtype=u.dtype)
    for k in range(m - n + 1):
        d = scale * u[k]
        quotient = quotient.at[k].set(d)
        u = u.at[k:k + n + 1].add(-d * v)
    return quotient, u


def _no_trim(name: str, asked: bool) -> None:
    if asked:
        raise OutOfScope(f"jax.numpy.{name}(trim_leading_zeros=True)", "leave the option out")
