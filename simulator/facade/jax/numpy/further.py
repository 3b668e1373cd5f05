"""``jax.numpy`` functions that are used less: cross, kron, running sums, top_k …

JAX source: ``jax/_src/numpy/lax_numpy.py``; ``jax/_src/numpy/reductions.py:
cumulative_sum, cumulative_prod``; ``jax/_src/numpy/sorting.py: top_k``.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from simulator.api import jit
from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base, reducing, shapes
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.lax.convert import convert_element_type
from simulator.facade.jax.numpy import arithmetic
from simulator.facade.jax.numpy import math_functions as mf
from simulator.facade.jax.numpy import reductions as red
from simulator.facade.jax.numpy.choosing import argmax, argmin, where
from simulator.facade.jax.numpy.constructors import array, asarray
from simulator.facade.jax.numpy.creation import zeros_like
from simulator.facade.jax.numpy.cumulating import cumulative
from simulator.facade.jax.numpy.joining import concatenate
from simulator.facade.jax.numpy.moving import tile
from simulator.facade.jax.numpy.powers import power
from simulator.facade.jax.numpy.predicates import isnan
from simulator.facade.jax.numpy.reshaping import expand_dims, moveaxis, ravel, reshape
from simulator.facade.jax.numpy.util import (
    check_arraylike,
    ensure_array,
    promote_dtypes,
)


@jit
def iscomplex(x):
    """``jax.numpy.iscomplex``."""
    part = mf.imag(x)
    return el.ne(part, base.const(part, 0))


@jit
def isreal(x):
    """``jax.numpy.isreal``."""
    part = mf.imag(x)
    return el.eq(part, base.const(part, 0))


@jit(static_argnames=["deg"])
def angle(z, deg=False):
    """``jax.numpy.angle``."""
    z = ensure_array("angle", z)
    re, im = mf.real(z), mf.imag(z)
    if re.dtype.family not in "fc" or (z.dtype.family == "f" and z.ndim == 0):
        re = convert_element_type(re, base.default_float())
        im = convert_element_type(im, base.default_float())
    result = el.atan2(im, re)
    return mf.degrees(result) if deg else result


@jit(static_argnames=("axisa", "axisb", "axisc", "axis"))
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """``jax.numpy.cross`` of vectors with three components."""
    check_arraylike("cross", a, b)
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = moveaxis(a, axisa, -1), moveaxis(b, axisb, -1)
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError("Dimension must be either 2 or 3 for cross product")
    if 2 in (a.shape[-1], b.shape[-1]):
        raise OutOfScope("jax.numpy.cross with two components", "it is deprecated; add a zero")
    a0, a1, a2 = a[..., 0], a[..., 1], a[..., 2]
    b0, b1, b2 = b[..., 0], b[..., 1], b[..., 2]
    c = array([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0])
    return moveaxis(c, 0, axisc)


@jit
def kron(a, b):
    """``jax.numpy.kron``."""
    check_arraylike("kron", a, b)
    a, b = promote_dtypes(a, b)
    if a.ndim < b.ndim:
        a = expand_dims(a, range(b.ndim - a.ndim))
    elif b.ndim < a.ndim:
        b = expand_dims(b, range(a.ndim - b.ndim))
    left = expand_dims(a, range(1, 2 * a.ndim, 2))
    right = expand_dims(b, range(0, 2 * b.ndim, 2))
    return reshape(el.mul(left, right), tuple(m * n for m, n in zip(a.shape, b.shape)))


@jit(static_argnames=("N", "increasing"))
def vander(x, N=None, increasing=False):
    """``jax.numpy.vander``."""
    x = ensure_array("vander", x)
    if x.ndim != 1:
        raise ValueError("x must be a one-dimensional array")
    N = x.shape[0] if N is None else base.concrete(operator.index, N,
                                                   "'N' argument of jnp.vander()")
    if N < 0:
        raise ValueError("N must be nonnegative")
    line = shapes.iota(x.dtype, N)
    if not increasing:
        line = el.sub(base.const(line, N - 1), line)
    return power(x[..., None], expand_dims(line, tuple(range(x.ndim))))


@jit(static_argnames=("axis", "start"))
def rollaxis(a, axis, start=0):
    """``jax.numpy.rollaxis``."""
    a = ensure_array("rollaxis", a)
    start = base.concrete(operator.index, start, "'start' argument of jnp.rollaxis()")
    axis = base.canonical_axis(axis, a.ndim)
    if not -a.ndim <= start <= a.ndim:
        raise ValueError(f"start={start!r} must satisfy {-a.ndim}<=start<={a.ndim}")
    start += a.ndim if start < 0 else 0
    return moveaxis(a, axis, start - 1 if start > axis else start)


@jit(static_argnames=("new_shape",))
def resize(a, new_shape):
    """``jax.numpy.resize``."""
    check_arraylike("resize", a)
    new_shape = base.index_tuple(new_shape)
    if any(d < 0 for d in new_shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    arr = ravel(a)
    wanted = math.prod(new_shape)
    if arr.size == 0 or wanted == 0:
        return zeros_like(arr, shape=new_shape)
    return reshape(tile(arr, -(-wanted // arr.size))[:wanted], new_shape)


@jit
def ediff1d(ary, to_end=None, to_begin=None):
    """``jax.numpy.ediff1d``."""
    arr = ensure_array("ediff1d", ary).ravel()
    result = el.sub(arr[1:], arr[:-1])
    if to_begin is not None:
        to_begin = ensure_array("ediff1d", to_begin)
        result = concatenate((ravel(to_begin.astype(arr.dtype)), result))
    if to_end is not None:
        to_end = ensure_array("ediff1d", to_end)
        result = concatenate((result, ravel(to_end.astype(arr.dtype))))
    return result


@jit(static_argnames=("axis", "dtype"))
def _cumsum_with_promotion(a, axis=None, dtype=None, out=None):
    return cumulative("_cumsum_with_promotion", reducing.cumsum, a, axis, dtype, out,
                          promote_integers=True)


def _running_axis(name: str, word: str, x: Any, axis: Any) -> tuple:
    x = ensure_array(name, x)
    if x.ndim == 0:
        raise ValueError(f"The input must be non-scalar to take a cumulative {word}, however a "
                         "scalar value or scalar array was given.")
    if axis is None:
        axis = 0
        if x.ndim > 1:
            raise ValueError(f"The input array has rank {x.ndim}, however axis was not set to an "
                             "explicit value. The axis argument is only optional for "
                             "one-dimensional arrays.")
    return x, base.canonical_axis(axis, x.ndim)


def _with_initial(out: Any, shape: tuple, axis: int, value: int) -> Any:
    first = (*shape[:axis], 1, *shape[axis + 1:])
    return reducing.concatenate([shapes.full(first, value, dtype=out.dtype), out], dimension=axis)


def cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False):
    """``jax.numpy.cumulative_sum``."""
    x, axis = _running_axis("cumulative_sum", "sum", x, axis)
    dtype = base.user_dtype(dtype) if dtype is not None else None
    out = _cumsum_with_promotion(x, axis=axis, dtype=dtype)
    return _with_initial(out, x.shape, axis, 0) if include_initial else out


def cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False):
    """``jax.numpy.cumulative_prod``."""
    x, axis = _running_axis("cumulative_prod", "product", x, axis)
    dtype = base.user_dtype(dtype) if dtype is not None else None
    out = cumulative("cumulative_prod", reducing.cumprod, x, axis, dtype)
    return _with_initial(out, x.shape, axis, 1) if include_initial else out


def _nan_arg(name: str, operation: Any, filler: float) -> Any:
    """The jitted function behind nanargmax or nanargmin."""
    def fun(a, axis=None, keepdims=False):
        if a.dtype.family not in "fc":
            return operation(a, axis=axis, keepdims=keepdims)
        mask = isnan(a)
        found = operation(where(mask, filler, a), axis=axis, keepdims=keepdims)
        return where(red.all(mask, axis=axis, keepdims=keepdims), -1, found)
    fun.__name__ = fun.__qualname__ = name
    return jit(fun, static_argnames=("axis", "keepdims"))


_nanargmax = _nan_arg("_nanargmax", argmax, -math.inf)
_nanargmin = _nan_arg("_nanargmin", argmin, math.inf)


def nanargmax(a, axis=None, out=None, keepdims=None):
    """``jax.numpy.nanargmax``."""
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.nanargmax is not supported.")
    a = ensure_array("nanargmax", a)
    return _nanargmax(a, None if axis is None else operator.index(axis), keepdims=bool(keepdims))


def nanargmin(a, axis=None, out=None, keepdims=None):
    """``jax.numpy.nanargmin``."""
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.nanargmin is not supported.")
    a = ensure_array("nanargmin", a)
    return _nanargmin(a, None if axis is None else operator.index(axis), keepdims=bool(keepdims))


@jit(static_argnums=1, static_argnames=("axis", "mode", "sorted"))
def top_k(a, k, /, *, axis=-1, mode="largest", sorted=True):
    """``jax.numpy.top_k``."""
    arr = ensure_array("top_k", a)
    if arr.dtype.family == "c":
        raise ValueError("top_k is not compatible with complex inputs.")
    if mode not in ("largest", "smallest"):
        raise ValueError(f"mode must be 'largest' or 'smallest', got {mode!r}")
    axis = base.canonical_axis(axis, arr.ndim)
    if mode == "largest":
        return reducing.top_k(arr, k, axis=axis)
    if arr.dtype.family == "b":
        values, places = reducing.top_k(el.bitwise_not(arr), k, axis=axis)
        return el.bitwise_not(values), places
    if arr.dtype.family == "u":
        values, places = reducing.top_k(-(arr + 1), k, axis=axis)
        return -(values + 1), places
    values, places = reducing.top_k(-arr, k, axis=axis)
    return -values, places


def array_equiv(a1, a2):
    """``jax.numpy.array_equiv``."""
    a1, a2 = asarray(a1), asarray(a2)
    try:
        same = arithmetic.equal(a1, a2)
    except ValueError:
        return array(False)
    return red.all(same)
