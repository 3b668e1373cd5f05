"""Sums of exponentials: ``jax.numpy.logaddexp``, ``logaddexp2``, and `logsumexp`.

JAX source: ``jax/_src/numpy/ufuncs.py: logaddexp``; ``jax/_src/ops/special.py:
logsumexp``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.lax import logarithms, shapes
from simulator.facade.jax.numpy import choosing, reductions
from simulator.facade.jax.numpy.constructors import array
from simulator.facade.jax.numpy.predicates import isfinite
from simulator.facade.jax.numpy.ufuncs import binary_ufunc
from simulator.facade.jax.numpy.util import ensure_array, promote_args_inexact, promote_inexact
from simulator.facade.jax.settings import context


def _logsumexp(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.logaddexp.reduce is not supported.")
    a = ensure_array("logsumexp", a)
    where = reductions.check_where("logsumexp", where)
    [a] = promote_inexact(a)
    total, largest = scaled_sum(a, axis, keepdims, where, el.is_finite)
    result = el.add(el.log(total), largest.astype(total.dtype))
    if initial is None:
        return result
    return logarithms.logaddexp(initial, result)


def _logsumexp2(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.logaddexp2.reduce is not supported.")
    a = ensure_array("logsumexp2", a)
    where = reductions.check_where("logsumexp2", where)
    ln2 = float(math.log(2))
    if initial is not None:
        initial = initial * ln2
    return _logsumexp(a * ln2, axis=axis, dtype=dtype, keepdims=keepdims, where=where,
                      initial=initial) / ln2


def scaled_sum(a: Any, axis: Any, keepdims: bool, where: Any, finite: Callable,
               weights: Any = None) -> tuple:
    """The sum of exp(a - largest), times `weights`, and the largest, which is 0 if infinite.

    No derivative flows through the largest. `finite` tells which are: JAX asks the
    operation in one place and the jitted function in another.
    """
    dims = reductions.dims_of(a, axis)
    largest = reductions.max(a.real, axis=dims, keepdims=keepdims, where=where, initial=-math.inf)
    largest = el.stop_gradient(el.select(finite(largest), largest,
                                         shapes.full_like(largest, 0)))
    there = largest if keepdims else shapes.expand_dims(largest, dims)
    powers = el.exp(el.sub(a, there.astype(a.dtype)))
    if weights is not None:
        powers = el.mul(powers, weights)
    return powers.sum(axis=dims, keepdims=keepdims, where=where), largest


@binary_ufunc(identity=-math.inf, reduce=_logsumexp)
def logaddexp(x1, x2, /):
    """``jax.numpy.logaddexp``."""
    return logarithms.logaddexp(*promote_args_inexact("logaddexp", x1, x2))


@binary_ufunc(identity=-math.inf, reduce=_logsumexp2)
def logaddexp2(x1, x2, /):
    """``jax.numpy.logaddexp2``."""
    return logarithms.logaddexp2(*promote_args_inexact("logaddexp2", x1, x2))


def logsumexp(a: Any, axis: Any = None, b: Any = None, keepdims: bool = False,
              return_sign: bool = False, where: Any = None) -> Any:
    """``jax.scipy.special.logsumexp``; it is no jitted function itself."""
    if where is not None:
        a = choosing.where(where, a, 0)
    if b is None:
        [a] = promote_args_inexact("logsumexp", a)
    else:
        a, b = promote_args_inexact("logsumexp", a, b)
        a = choosing.where(b != 0, a, -math.inf)
    total, largest = scaled_sum(a, axis, keepdims, where, isfinite, b)
    sign = el.sign(total)
    if return_sign or a.dtype.family != "c":
        total = abs(total)
    out = el.add(el.log(total), largest.astype(total.dtype))
    if return_sign:
        return out, sign
    if b is not None and out.dtype.family != "c":
        with context("debug_nans")(False):
            out = choosing.where(sign < 0, array(math.nan, dtype=out.dtype), out)
    return out
