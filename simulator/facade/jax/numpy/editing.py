"""``jax.numpy``: elements put in, taken out and put elsewhere; small products of vectors.

JAX source: ``jax/_src/numpy/lax_numpy.py: fill_diagonal, delete, insert, unwrap``;
``jax/_src/numpy/array_creation.py: geomspace``; ``jax/_src/numpy/sorting.py: partition``;
``jax/_src/numpy/ufuncs.py: sinc``;
``jax/_src/numpy/tensor_contractions.py: matvec, vecmat, vecdot``.
"""

from __future__ import annotations

import functools
import math
import operator
from typing import Any

from simulator.api import jit
from simulator.autodiff.custom_jvp import custom_jvp
from simulator.facade import numpy as np
from simulator.facade.jax.lax import base, reducing, shapes, slicing
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.lax.convert import convert_element_type
from simulator.facade.jax.numpy import math_functions as mf
from simulator.facade.jax.numpy.arithmetic import mod
from simulator.facade.jax.numpy.choosing import argsort, clip, diff, sort, where
from simulator.facade.jax.numpy.constructors import array, asarray
from simulator.facade.jax.numpy.contractions import matmul, vdot
from simulator.facade.jax.numpy.creation import full, ones, zeros_like
from simulator.facade.jax.numpy.cumulating import cumsum
from simulator.facade.jax.numpy.index_arrays import diag_indices
from simulator.facade.jax.numpy.joining import concatenate
from simulator.facade.jax.numpy.ranges import arange, logspace
from simulator.facade.jax.numpy.reshaping import moveaxis, ravel
from simulator.facade.jax.numpy.util import (
    _where,
    check_arraylike,
    ensure_array,
    ensure_arrays,
    promote_dtypes,
    promote_inexact,
    result_type,
)
from simulator.facade.jax.numpy.vectorizing import vectorize
from simulator.types import dtypes
from simulator.types.dtype_core import complex_of
from simulator.types.promotion import to_inexact


def fill_diagonal(a: Any, val: Any, wrap: bool = False, *, inplace: bool = True) -> Any:
    """``jax.numpy.fill_diagonal``. ValueError for shapes that have no diagonal."""
    if inplace:
        raise NotImplementedError("JAX arrays are immutable, must use inplace=False")
    if wrap:
        raise NotImplementedError("wrap=True is not implemented, must use wrap=False")
    a, val = ensure_arrays("fill_diagonal", a, val)
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if a.ndim > 2 and len(set(a.shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    n = min(a.shape)
    index = diag_indices(n, a.ndim)
    if val.ndim:
        val = val.ravel()
        from simulator.facade.jax.numpy.moving import tile
        val = val if val.size == n else tile(val, -(-n // val.size))[:n]
    return a.at[index].set(val)


def delete(arr: Any, obj: Any, axis: int | None = None, *, assume_unique_indices: bool = False
           ) -> Any:
    """``jax.numpy.delete``: without some places, which must be known while tracing."""
    a = ensure_array("delete", arr)
    if axis is None:
        a, axis = a.ravel(), 0
    axis = base.canonical_axis(axis, a.ndim)
    before = (slice(None),) * axis
    try:
        place = operator.index(obj)
    except TypeError:
        pass
    else:
        place = base.canonical_axis(place, a.shape[axis])
        return concatenate([a[(*before, slice(0, place))], a[(*before, slice(place + 1, None))]],
                           axis=axis)
    if isinstance(obj, slice):
        obj, assume_unique_indices = arange(a.shape[axis])[obj], True
    check_arraylike("delete", a, obj)
    if base.is_kind(obj, "iu") and assume_unique_indices:
        return _without(a, obj, axis, before)
    places = base.concrete(np.asarray, obj, "'obj' array argument of jnp.delete()")
    if places.dtype.family in "iu":
        mask = np.ones(a.shape[axis], dtype=bool)
        mask[places] = False
    elif places.dtype.family == "b":
        if places.shape != (a.shape[axis],):
            raise ValueError("np.delete(arr, obj): for boolean indices, obj must be one-dimensional "
                             "with length matching specified axis.")
        mask = ~places
    else:
        raise ValueError(f"np.delete(arr, obj): got obj.dtype={places.dtype}; must be integer or "
                         "bool.")
    return a[(*before, mask)]


def _without(a: Any, obj: Any, axis: int, before: tuple) -> Any:
    # Which old place each new one has, from the places in order.
    n = a.shape[axis]
    places = asarray(obj).ravel()
    places = sort(clip(where(places < 0, places + n, places), 0, n))
    places -= arange(len(places), dtype=places.dtype)
    i = arange(n - places.size, dtype=places.dtype)
    i += (i[None, :] >= places[:, None]).sum(0, dtype=i.dtype)
    return a[(*before, i)]


def insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> Any:
    """``jax.numpy.insert``: values before some places."""
    a, _, values = ensure_arrays("insert", arr, 0 if isinstance(obj, slice) else obj, values)
    if axis is None:
        a, axis = ravel(a), 0
    axis = base.concrete(None, axis, "axis argument of jnp.insert()")
    axis = base.canonical_axis(axis, a.ndim)
    places = arange(*obj.indices(a.shape[axis])) if isinstance(obj, slice) else asarray(obj)
    if places.ndim > 1:
        raise ValueError("jnp.insert(): obj must be a slice, a one-dimensional array, or a scalar; "
                         f"got {obj}")
    if places.dtype.family not in "iu":
        if places.size or isinstance(obj, base.ARRAYS):
            raise ValueError(f"jnp.insert(): index array must be integer typed; got {obj}")
        places = places.astype(int)
    values = array(values, ndmin=a.ndim, dtype=a.dtype, copy=False)
    if places.size == 1:
        place = ravel(places)[0]
        if places.ndim == 0:
            values = moveaxis(values, 0, axis)
        places = full(values.shape[axis], place)
    old = a.shape[axis]
    new = shapes.broadcast_shapes(places.shape, (values.shape[axis],))[0]
    out = zeros_like(a, shape=tuple(n + new * (i == axis) for i, n in enumerate(a.shape)))
    places = clip(where(places < 0, places + old, places), 0, old)
    at = places.at[argsort(places)].add(arange(new, dtype=places.dtype))
    kept = where(ones(old + new, dtype=bool).at[at].set(False), size=old)[0]
    before = (slice(None),) * axis
    return out.at[(*before, at)].set(values).at[(*before, kept)].set(a)


@jit(static_argnames=("axis",))
def unwrap(p, discont=None, axis=-1, period=2 * math.pi):
    """``jax.numpy.unwrap``: angles without jumps."""
    p = ensure_array("unwrap", p)
    p, period = promote_dtypes(p, period)
    if p.dtype.family == "c":
        raise ValueError("jnp.unwrap does not support complex inputs.")
    if p.shape[axis] == 0:
        return p
    if discont is None:
        discont = period / 2
    half = period // 2 if p.dtype.family in "iu" else period / 2
    steps = diff(p, axis=axis)
    small = mod(steps + half, period) - half
    small = where((small == -half) & (steps > 0), half, small)
    change = where(mf.abs(steps) < discont, 0, small - steps)
    return concatenate((slicing.slice_in_dim(p, 0, 1, axis=axis),
                        slicing.slice_in_dim(p, 1, None, axis=axis)
                        + cumsum(change, axis=axis)), axis=axis)


def geomspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None,
              axis: int = 0) -> Any:
    """``jax.numpy.geomspace``."""
    num = base.concrete(operator.index, num, "'num' argument of jnp.geomspace")
    axis = base.concrete(operator.index, axis, "'axis' argument of jnp.geomspace")
    return _geomspace(start, stop, num, endpoint, dtype, axis)


@jit(static_argnames=("num", "endpoint", "dtype", "axis"))
def _geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    if dtype is None:
        dtype = dtypes.to_inexact(result_type(start, stop)[0])
    else:
        dtype = base.user_dtype(dtype, "geomspace")
    work = dtypes.to_inexact(dtype)
    start, stop = ensure_arrays("geomspace", start, stop)
    start, stop = start.astype(work), stop.astype(work)
    sign = mf.sign(start)
    result = sign * logspace(mf.log10(start / sign), mf.log10(stop / sign), num, endpoint=endpoint,
                             base=10.0, dtype=work, axis=0)
    axis = base.canonical_axis(axis, result.ndim)
    if axis != 0:
        result = shapes.transpose(result, (*range(1, axis + 1), 0, *range(axis + 1, result.ndim)))
    return convert_element_type(result, dtype)


@jit(static_argnames=["kth", "axis"])
def partition(a, kth, axis=-1):
    """``jax.numpy.partition``."""
    a = ensure_array("partition", a)
    if a.dtype.family == "c":
        raise NotImplementedError("jnp.partition for complex dtype is not implemented.")
    axis = base.canonical_axis(axis, a.ndim)
    kth = base.canonical_axis(kth, a.shape[axis])
    a = a.swapaxes(axis, -1)
    if a.dtype.family == "u":
        bottom = -reducing.top_k(-(a + 1), kth + 1)[0] - 1
    else:
        bottom = -reducing.top_k(-a, kth + 1)[0]
    top = reducing.top_k(a, a.shape[-1] - kth - 1)[0]
    return reducing.concatenate([bottom, top], dimension=a.ndim - 1).swapaxes(-1, axis)


@jit(static_argnames=("kth", "axis"))
def argpartition(a, kth, axis=-1):
    """``jax.numpy.argpartition``."""
    from simulator.batching.vmapping import vmap
    a = ensure_array("partition", a)
    if a.dtype.family == "c":
        raise NotImplementedError("jnp.argpartition for complex dtype is not implemented.")
    axis = base.canonical_axis(axis, a.ndim)
    kth = base.canonical_axis(kth, a.shape[axis])
    a = a.swapaxes(axis, -1)
    bottom = reducing.top_k(-(a + 1) if a.dtype.family == "u" else -a, kth + 1)[1]

    def cleared(row, places):
        return row.at[places].set(0)

    for _ in range(a.ndim - 1):
        cleared = vmap(cleared)
    rest = cleared(shapes.full(a.shape, 1.0), bottom)
    top = reducing.top_k(rest, a.shape[-1] - kth - 1)[1]
    return reducing.concatenate([bottom, top], dimension=a.ndim - 1).swapaxes(-1, axis)


@jit
def sort_complex(a):
    """``jax.numpy.sort_complex``."""
    a = reducing.sort(ensure_array("sort_complex", a))
    return convert_element_type(a, complex_of(to_inexact(a.dtype)))


@jit
def sinc(x, /):
    """``jax.numpy.sinc``."""
    x, = promote_inexact(ensure_array("sinc", x))
    zero = el.eq(x, base.const(x, 0))
    if x.dtype.family == "c":
        real = el.real(x)
        endless = el.bitwise_and(el.eq(el.abs(real), base.const(el.real(x), math.inf)),
                                 el.is_finite(el.imag(x)))
    else:
        endless = el.eq(el.abs(x), base.const(x, math.inf))
    angle = el.mul(base.const(x, math.pi), x)
    safe = _where(el.bitwise_or(zero, endless), base.const(x, 1), angle)
    result = _where(zero, _sinc_maclaurin(0, angle), el.div(el.sin(safe), safe))
    return _where(endless, base.const(x, 0), result)


@functools.partial(custom_jvp, nondiff_argnums=(0,))
def _sinc_maclaurin(k, x):
    # The k-th derivative at 0.
    if k % 2:
        return x * 0
    return x * 0 + base.const(x, (-1) ** (k // 2) / (k + 1))


@_sinc_maclaurin.defjvp
def _sinc_maclaurin_jvp(k, primals, tangents):
    (x,), (t,) = primals, tangents
    return _sinc_maclaurin(k, x), _sinc_maclaurin(k + 1, x) * t


@jit
def matvec(x1, x2, /):
    """``jax.numpy.matvec``."""
    x1, x2 = ensure_arrays("matvec", x1, x2)
    return vectorize(matmul, signature="(n,m),(m)->(n)")(x1, x2)


@jit
def vecmat(x1, x2, /):
    """``jax.numpy.vecmat``."""
    x1, x2 = ensure_arrays("matvec", x1, x2)
    return vectorize(matmul, signature="(n),(n,m)->(m)")(mf.conj(x1), x2)


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1, precision: Any = None,
           preferred_element_type: Any = None) -> Any:
    """``jax.numpy.vecdot``. ValueError for axes of another size."""
    x1, x2 = ensure_arrays("jnp.vecdot", x1, x2)
    if x1.shape[axis] != x2.shape[axis]:
        raise ValueError(f"axes must match; got shapes {x1.shape} and {x2.shape} with {axis=}")
    product = functools.partial(vdot, precision=precision,
                                preferred_element_type=preferred_element_type)
    return vectorize(product, signature="(n),(n)->()")(moveaxis(x1, axis, -1),
                                                       moveaxis(x2, axis, -1))
