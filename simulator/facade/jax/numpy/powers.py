"""``jax.numpy``: powers, by multiplying where exponents are whole.

JAX source: ``jax/_src/numpy/ufuncs.py: power, _power, _pow_int_int``.
"""

from __future__ import annotations

import operator
from typing import Any

from simulator.api import jit
from simulator.facade.jax.lax import base
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.numpy.util import (
    _where,
    check_arraylike,
    like,
    promote_args_numeric,
    promote_numeric,
    promote_shapes,
)


def power(x1, x2, /):
    """``jax.numpy.power``; a Python int as exponent gives ``integer_pow``."""
    check_arraylike("power", x1, x2)
    if base.is_concrete(x2):
        try:
            x2 = operator.index(x2)
        except TypeError:
            pass
        else:
            x1, = promote_numeric(x1)
            return el.integer_pow(x1, x2)
    return _power(x1, x2)


def pow(x1, x2, /):
    """``jax.numpy.pow``."""
    return power(x1, x2)


@jit(inline=True)
def _power(x1, x2):
    x1, x2 = promote_shapes("power", x1, x2)
    both = promote_args_numeric("power", x1, x2)
    if both[0].dtype.family in "iub":
        return _integer_power(*both)
    if x1.dtype.family in "fc" and x2.dtype.family in "iu":
        return el.pow(x1, x2)
    return el.pow(*both)


def _integer_power(x1: Any, x2: Any) -> Any:
    zero, one = like(x2, 0), like(x2, 1)
    acc = _where(el.bitwise_and(el.eq(x1, zero), el.ne(x2, zero)), zero, one)
    for _ in range(6):
        acc = _where(el.bitwise_and(x2, one), el.mul(acc, x1), acc)
        x1 = el.mul(x1, x1)
        x2 = el.shift_right_logical(x2, one)
    return acc
