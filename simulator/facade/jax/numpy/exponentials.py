"""Sums of exponentials: ``jax.numpy.logaddexp``, ``logaddexp2``, and `logsumexp`.

JAX source: ``jax/_src/numpy/ufuncs.py: logaddexp``; ``jax/_src/ops/special.py:
logsumexp``.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.lax import logarithms
from simulator.facade.jax.numpy import choosing, reductions
from simulator.facade.jax.numpy.constructors import array
from simulator.facade.jax.numpy.math_functions import isfinite
from simulator.facade.jax.numpy.ufuncs import binary_ufunc
from simulator.facade.jax.numpy.util import promote_args_inexact
from simulator.facade.jax.settings import context


@binary_ufunc(identity=-math.inf, reduce=reductions._logsumexp)
def logaddexp(x1, x2, /):
    """``jax.numpy.logaddexp``."""
    return logarithms.logaddexp(*promote_args_inexact("logaddexp", x1, x2))


@binary_ufunc(identity=-math.inf, reduce=reductions._logsumexp2)
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
    total, largest = reductions.scaled_sum(a, axis, keepdims, where, isfinite, b)
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
