"""``jax.numpy``: running sums and products.

JAX source: ``jax/_src/numpy/reductions.py: _cumulative_reduction, cumsum, cumprod, nancumsum,
nancumprod``.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from simulator.api import jit
from simulator.errors import ShardingTypeError
from simulator.facade.jax.lax import base, reducing, shapes
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.lax.convert import convert_element_type
from simulator.facade.jax.numpy.reductions import promote_integer
from simulator.facade.jax.numpy.util import (
    _where,
    ensure_array,
)
from simulator.types import dtypes


def cumulative(name: str, operation: Callable, a: Any, axis: Any, dtype: Any, out: None = None,
               promote_integers: bool = False, fill: Any = None) -> Any:
    """What all running reductions share; `fill` replaces NaN."""
    a = ensure_array(name, a)
    if out is not None:
        raise NotImplementedError(f"The 'out' argument to jnp.{name} is not supported")
    if axis is None or base.is_scalar(a):
        if builtins.any(part is not None for part in base.typeof(a).spec):
            raise ShardingTypeError("The input should be fully replicated when axis is not "
                                    f"specified to {name}. Got input type={base.typeof(a)}")
        a = shapes.reshape(a, (a.size,))
    axis = base.canonical_axis(0 if axis is None else axis, a.ndim)
    if fill is not None:
        a = _where(el.isnan(a), base.const(a, fill), a)
    if dtype is None:
        result = promote_integer(a.dtype) if promote_integers or a.dtype.family == "b" else a.dtype
        work = result
    elif dtypes.dtype(dtype) is dtypes.bool_:
        result = dtypes.bool_
        if a.dtype is not result:
            a = a != 0
        work = promote_integer(result)
    else:
        result = work = base.user_dtype(dtype, name)
    a = convert_element_type(a, work)
    return convert_element_type(operation(a, axis), result)


@jit(static_argnames=("axis", "dtype"))
def cumsum(a, axis=None, dtype=None, out=None):
    """``jax.numpy.cumsum``."""
    return cumulative("cumsum", reducing.cumsum, a, axis, dtype, out)


@jit(static_argnames=("axis", "dtype"))
def cumprod(a, axis=None, dtype=None, out=None):
    """``jax.numpy.cumprod``."""
    return cumulative("cumprod", reducing.cumprod, a, axis, dtype, out)


@jit(static_argnames=("axis", "dtype"))
def nancumsum(a, axis=None, dtype=None, out=None):
    """``jax.numpy.nancumsum``."""
    return cumulative("nancumsum", reducing.cumsum, a, axis, dtype, out, fill=0)


@jit(static_argnames=("axis", "dtype"))
def nancumprod(a, axis=None, dtype=None, out=None):
    """``jax.numpy.nancumprod``."""
    return cumulative("nancumprod", reducing.cumprod, a, axis, dtype, out, fill=1)
