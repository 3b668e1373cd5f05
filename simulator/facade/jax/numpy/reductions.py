"""``jax.numpy`` reductions: sum, prod, max, min, any, all, cumulative sums.

The public functions make `axis` static and call a jitted function.

JAX source: ``jax/_src/numpy/reductions.py: _reduction, sum, _reduce_sum, cumsum …``.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable
from typing import Any

from simulator.api import jit
from simulator.device_arrays.literals import TypedNdArray, constant
from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base, reducing, shapes
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.lax.convert import convert_element_type
from simulator.facade.jax.numpy.util import (
    _where,
    asarray,
    ensure_array,
    promote_numeric,
)
from simulator.ndarrays.ndarray import NDArray
from simulator.types import dtypes
from simulator.types.dtype_core import DType


def upcast_f16(d: DType) -> DType:
    """Half precision is added up in float32."""
    return dtypes.float32 if d in (dtypes.float16, dtypes.bfloat16) else d


def promote_integer(d: DType) -> DType:
    """Sums of small integers and booleans are in the default integer type."""
    if d.family == "b":
        return base.default_int()
    if d.family in "iu":
        default = dtypes.default_dtype(d.family, base.x64())
        return default if d.bits < default.bits else d
    return d


def check_where(name: str, where: Any) -> Any:
    """The mask of a reduction. ValueError when it is not boolean."""
    if where is None:
        return None
    where = ensure_array(name, where)
    if where.dtype.family != "b":
        raise ValueError(f"jnp.{name}: where must be None or a boolean array; got "
                         f"where.dtype={where.dtype!r}.")
    return where


def static_axis(x: Any) -> Any:
    """None, an int, or a tuple of ints. ConcretizationTypeError for a tracer."""
    def force(axis: Any) -> Any:
        if axis is None:
            return None
        try:
            return operator.index(axis)
        except TypeError:
            return tuple(i if isinstance(i, str) else operator.index(i) for i in axis)
    return base.concrete(force, x, "The axis argument must be known statically.")


def dims_of(a: Any, axis: Any) -> tuple[int, ...]:
    """The axes to reduce, made positive. ValueError for duplicates."""
    rank = base.ndim(a)
    if axis is None:
        return tuple(range(rank))
    axes = axis if isinstance(axis, (NDArray, tuple, list)) else (axis,)
    if builtins.any(isinstance(x, str) for x in axes):
        raise OutOfScope("reductions over named axes", "name the axis by its number")
    found = tuple(base.canonical_axis(x, rank) for x in axes)
    if len(found) != len(set(found)):
        raise ValueError(f"duplicate value in 'axis': {axis}")
    return found


def start_value(a: Any, value: Any) -> TypedNdArray:
    """The neutral element in the dtype of `a`."""
    d = a.dtype
    if d.family == "b":
        return constant(bool(value > 0), d)
    if d.family in "iu" and isinstance(value, float) and math.isinf(value):
        low, high = dtypes.int_range(d)
        value = low if value < 0 else high
    return constant(value, d)


def reduction(a: Any, name: str, op: Callable, init: Any, *, has_identity: bool = True,
              preproc: Callable | None = None, bool_op: Callable | None = None,
              upcast: bool = False, axis: Any = None, dtype: Any = None, out: None = None,
              keepdims: bool = False, initial: Any = None, where_: Any = None,
              promote_integers: bool = False) -> Any:
    """What all reductions share.

    Args:
      op, init: the operation and its neutral element; `bool_op` for booleans.
      has_identity: whether an empty reduction has a value.
      preproc: applied to the operand first.
      upcast: compute half precision in float32.
    """
    if out is not None:
        raise NotImplementedError(f"The 'out' argument to jnp.{name} is not supported.")
    a = ensure_array(name, a)
    where_ = check_where(name, where_)
    axis = base.concrete(None, axis, f"axis argument to jnp.{name}().")
    if initial is None and not has_identity and where_ is not None:
        raise ValueError(f"reduction operation {name} does not have an identity, so to use a "
                         "where mask one has to specify 'initial'")
    a = preproc(a) if preproc else a
    dims = dims_of(a, axis)
    if initial is None and not has_identity and builtins.any(a.shape[d] < 1 for d in dims):
        raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
    if dtype is None:
        result = promote_integer(a.dtype) if promote_integers else a.dtype
    else:
        result = base.user_dtype(dtype, name)
    work = upcast_f16(result) if upcast and result.family in "fc" else result
    a = convert_element_type(a, work)
    op = op if work.family != "b" else bool_op or op
    start = start_value(a, init)
    if where_ is not None:
        a = _where(where_, a, start)
    value = reducing.reduce(a, start, op, dims)
    if initial is not None:
        first = convert_element_type(initial, asarray(a).dtype)
        if base.shape(first) != ():
            raise ValueError("initial value must be a scalar. Got array of shape "
                             f"{base.shape(first)}")
        value = op(first, value)
    if keepdims:
        value = shapes.expand_dims(value, dims)
    return convert_element_type(value, dtype or result)


def _to_bool(x: Any) -> Any:
    if x.dtype.family == "c":
        x = x.real
    return convert_element_type(x, dtypes.bool_)


def _to_numeric(x: Any) -> Any:
    return promote_numeric(x)[0]


def _integers_only(x: Any) -> Any:
    if x.dtype.family not in "biu":
        raise ValueError(f"integer argument required; got dtype={x.dtype}")
    return x


@jit(static_argnames=("axis", "dtype", "keepdims", "promote_integers"), inline=True)
def _reduce_sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None,
                promote_integers=True):
    return reduction(a, "sum", el.add, 0, preproc=_to_numeric, bool_op=el.bitwise_or,
                     upcast=dtype is None, axis=axis, dtype=dtype, out=out, keepdims=keepdims,
                     initial=initial, where_=where, promote_integers=promote_integers)


def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None,
        promote_integers=True):
    """``jax.numpy.sum``."""
    return _reduce_sum(a, axis=static_axis(axis), dtype=dtype, out=out, keepdims=keepdims,
                       initial=initial, where=where, promote_integers=promote_integers)


@jit(static_argnames=("axis", "dtype", "keepdims", "promote_integers"), inline=True)
def _reduce_prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None,
                 promote_integers=True):
    return reduction(a, "prod", el.mul, 1, preproc=_to_numeric, bool_op=el.bitwise_and,
                     upcast=dtype is None, axis=axis, dtype=dtype, out=out, keepdims=keepdims,
                     initial=initial, where_=where, promote_integers=promote_integers)


def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None,
         promote_integers=True):
    """``jax.numpy.prod``."""
    return _reduce_prod(a, axis=static_axis(axis), dtype=dtype, out=out, keepdims=keepdims,
                        initial=initial, where=where, promote_integers=promote_integers)


@jit(static_argnames=("axis", "keepdims"), inline=True)
def _reduce_max(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    return reduction(a, "max", el.max, -math.inf, has_identity=False, axis=axis, dtype=dtype,
                     out=out, keepdims=keepdims, initial=initial, where_=where)


def max(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    """``jax.numpy.max``."""
    return _reduce_max(a, axis=static_axis(axis), out=out, keepdims=keepdims, initial=initial,
                       where=where)


@jit(static_argnames=("axis", "keepdims", "dtype"), inline=True)
def _reduce_min(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    return reduction(a, "min", el.min, math.inf, has_identity=False, axis=axis, dtype=dtype,
                     out=out, keepdims=keepdims, initial=initial, where_=where)


def min(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    """``jax.numpy.min``."""
    return _reduce_min(a, axis=static_axis(axis), out=out, keepdims=keepdims, initial=initial,
                       where=where)


def amax(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    """``jax.numpy.amax``."""
    return max(a, axis=axis, out=out, keepdims=keepdims, initial=initial, where=where)


def amin(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    """``jax.numpy.amin``."""
    return min(a, axis=axis, out=out, keepdims=keepdims, initial=initial, where=where)


@jit(static_argnames=("axis", "keepdims"), inline=True)
def _reduce_all(a, axis=None, out=None, keepdims=False, *, where=None):
    return reduction(a, "all", el.bitwise_and, True, preproc=_to_bool, axis=axis, out=out,
                     keepdims=keepdims, where_=where)


def all(a, axis=None, out=None, keepdims=False, *, where=None):
    """``jax.numpy.all``."""
    return _reduce_all(a, axis=static_axis(axis), out=out, keepdims=keepdims, where=where)


@jit(static_argnames=("axis", "keepdims"), inline=True)
def _reduce_any(a, axis=None, out=None, keepdims=False, *, where=None):
    return reduction(a, "any", el.bitwise_or, False, preproc=_to_bool, axis=axis, out=out,
                     keepdims=keepdims, where_=where)


def any(a, axis=None, out=None, keepdims=False, *, where=None):
    """``jax.numpy.any``."""
    return _reduce_any(a, axis=static_axis(axis), out=out, keepdims=keepdims, where=where)


def _ufunc_reduction(name: str, op: Callable, init: Any, preproc: Callable) -> Any:
    """The jitted function behind ``jnp.bitwise_and.reduce`` and its kin."""
    def fun(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
        return reduction(a, name[1:], op, init, preproc=preproc, axis=static_axis(axis),
                         dtype=dtype, out=out, keepdims=keepdims, initial=initial, where_=where)
    fun.__name__ = fun.__qualname__ = name
    return jit(fun, static_argnames=("axis", "keepdims", "dtype"), inline=True)


reduce_bitwise_and = _ufunc_reduction("_reduce_bitwise_and", el.bitwise_and, -1, _integers_only)
reduce_bitwise_or = _ufunc_reduction("_reduce_bitwise_or", el.bitwise_or, 0, _integers_only)
reduce_bitwise_xor = _ufunc_reduction("_reduce_bitwise_xor", el.bitwise_xor, 0, _integers_only)
reduce_logical_and = _ufunc_reduction("_reduce_logical_and", el.bitwise_and, True, _to_bool)
reduce_logical_or = _ufunc_reduction("_reduce_logical_or", el.bitwise_or, False, _to_bool)
reduce_logical_xor = _ufunc_reduction("_reduce_logical_xor", el.bitwise_xor, False, _to_bool)
