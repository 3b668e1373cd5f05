"""``jax.numpy`` functions that are used less: cross, kron, quantile, gradient, triangles' indices …

JAX source: ``jax/_src/numpy/lax_numpy.py``; ``jax/_src/numpy/reductions.py:
quantile, _quantile``; ``jax/_src/numpy/sorting.py: top_k``.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from simulator import process
from simulator.api import jit
from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base, reducing, shapes, slicing
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.lax.convert import convert_element_type
from simulator.facade.jax.numpy import arithmetic
from simulator.facade.jax.numpy import math_functions as mf
from simulator.facade.jax.numpy import reductions as red
from simulator.facade.jax.numpy.choosing import argmax, argmin, nonzero, where
from simulator.facade.jax.numpy.constructors import array, asarray
from simulator.facade.jax.numpy.creation import ones, zeros_like
from simulator.facade.jax.numpy.diagonals import tril, triu
from simulator.facade.jax.numpy.joining import concatenate, vstack
from simulator.facade.jax.numpy.reshaping import (
    atleast_1d,
    expand_dims,
    moveaxis,
    ravel,
    reshape,
    tile,
    transpose,
)
from simulator.facade.jax.numpy.util import (
    _where,
    check_arraylike,
    ensure_array,
    ensure_arrays,
    promote_dtypes,
    promote_inexact,
)
from simulator.ndarrays.ndarray_index import IndexExpression
from simulator.primitives.gather import GatherDimensionNumbers


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
    return arithmetic.power(x[..., None], expand_dims(line, tuple(range(x.ndim))))


def _half(n: int, m: int, k: int) -> int:
    # How many elements lie on and above diagonal k.
    if k < 0:
        return n * m - _half(m, n, 1 - k)
    if k >= m:
        return 0
    rows = min(n, m - k)
    return rows * (rows + 1) // 2 + rows * (m - k - rows)


def _sizes(n: Any, k: Any, m: Any) -> tuple[int, int, int]:
    n, k = (base.concrete(operator.index, v, f"{name} argument of jnp.triu_indices")
            for v, name in ((n, "n"), (k, "k")))
    return n, k, n if m is None else base.concrete(operator.index, m,
                                                   "m argument of jnp.triu_indices")


def triu_indices(n, k=0, m=None):
    """``jax.numpy.triu_indices``."""
    n, k, m = _sizes(n, k, m)
    i, j = nonzero(triu(ones((n, m)), k=k), size=_half(n, m, k))
    return i, j


def tril_indices(n, k=0, m=None):
    """``jax.numpy.tril_indices``."""
    n, k, m = _sizes(n, k, m)
    i, j = nonzero(tril(ones((n, m)), k=k), size=_half(m, n, -k))
    return i, j


def diag_indices(n, ndim=2):
    """``jax.numpy.diag_indices``."""
    n = base.concrete(operator.index, n, "'n' argument of jnp.diag_indices()")
    ndim = base.concrete(operator.index, ndim, "'ndim' argument of jnp.diag_indices()")
    if n < 0:
        raise ValueError(f"n argument to diag_indices must be nonnegative, got {n}")
    if ndim < 0:
        raise ValueError(f"ndim argument to diag_indices must be nonnegative, got {ndim}")
    return (shapes.iota(base.default_int(), n),) * ndim


def argwhere(a, *, size=None, fill_value=None):
    """``jax.numpy.argwhere``."""
    a = ensure_array("argwhere", a)
    result = transpose(vstack(nonzero(atleast_1d(a), size=size, fill_value=fill_value)))
    if a.ndim == 0:
        return result[:0].reshape(result.shape[0], 0)
    return result.reshape(result.shape[0], a.ndim)


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
    return red.cumulative("_cumsum_with_promotion", reducing.cumsum, a, axis, dtype, out,
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
    out = red.cumulative("cumulative_prod", reducing.cumprod, x, axis, dtype)
    return _with_initial(out, x.shape, axis, 1) if include_initial else out


def _nan_arg(name: str, operation: Any, filler: float) -> Any:
    """The jitted function behind nanargmax or nanargmin."""
    def fun(a, axis=None, keepdims=False):
        if a.dtype.family not in "fc":
            return operation(a, axis=axis, keepdims=keepdims)
        mask = mf.isnan(a)
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


@jit(static_argnames=("axis", "overwrite_input", "keepdims", "method"))
def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *,
             weights=None):
    """``jax.numpy.quantile`` along one axis or all, without weights."""
    a, q = ensure_arrays("quantile", a, q)
    if overwrite_input or out is not None:
        raise ValueError("jax.numpy.quantile does not support overwrite_input=True or out != None")
    if weights is not None or isinstance(axis, tuple):
        raise OutOfScope("jax.numpy.quantile with weights or several axes", "use one axis")
    if method not in ("linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf"):
        raise ValueError("method can only be 'linear', 'lower', 'higher', 'midpoint', 'nearest' "
                         "or 'inverted_cdf'")
    if method == "inverted_cdf":
        raise OutOfScope("jax.numpy.quantile(method='inverted_cdf')", "use method='linear'")
    return _quantile(a, q, axis, method, keepdims)


def _quantile(a: Any, q: Any, axis: Any, method: str, keepdims: bool) -> Any:
    a, = promote_inexact(a)
    if a.dtype.family == "c":
        raise ValueError("quantile does not support complex input, as the operation is poorly "
                         "defined.")
    kept: list[int] = []
    if axis is None:
        kept = [1] * a.ndim if keepdims else []
        a, axis = a.ravel(), 0
    else:
        axis = base.canonical_axis(axis, a.ndim)
    if q.ndim > 1:
        raise ValueError(f"q must be have rank <= 1, got shape {q.shape}")
    shape = a.shape
    with process.current().config.state("jax_debug_nans")(False):
        a = _where(red.any(el.isnan(a), axis=axis, keepdims=True), math.nan, a)
    a = reducing.sort(a, dimension=axis)
    n = convert_element_type(shape[axis], q.dtype)
    q = el.mul(q, n - 1)
    low, high = el.floor(q), el.ceil(q)
    high_weight = el.sub(q, low)
    low_weight = el.sub(base.const(high_weight, 1), high_weight)
    low = el.clamp(base.const(low, 0), low, n - 1)
    high = el.clamp(base.const(high, 0), high, n - 1)
    low, high = convert_element_type(low, int), convert_element_type(high, int)
    sizes = [*shape[:axis], 1, *shape[axis + 1:]]
    rank = len(shape) + q.ndim - (0 if keepdims else 1)
    dnums = GatherDimensionNumbers(tuple(range(q.ndim, rank)), () if keepdims else (axis,),
                                   (axis,))
    low_value = slicing.gather(a, low[..., None], dimension_numbers=dnums, slice_sizes=sizes)
    high_value = slicing.gather(a, high[..., None], dimension_numbers=dnums, slice_sizes=sizes)
    if q.ndim == 1:
        low_weight = shapes.broadcast_in_dim(low_weight, low_value.shape, (0,))
        high_weight = shapes.broadcast_in_dim(high_weight, high_value.shape, (0,))
    if method == "linear":
        result = el.add(el.mul(low_value.astype(q.dtype), low_weight),
                        el.mul(high_value.astype(q.dtype), high_weight))
    elif method in ("lower", "higher"):
        result = low_value if method == "lower" else high_value
    elif method == "nearest":
        near = el.le(high_weight, base.const(high_weight, 0.5))
        result = el.select(near, low_value, high_value)
    else:
        result = el.mul(el.add(low_value, high_value), base.const(low_value, 0.5))
    if keepdims and kept:
        result = result.reshape([q.shape[0], *kept] if q.ndim else kept)
    return convert_element_type(result, a.dtype)


@jit(static_argnames=("axis", "overwrite_input", "keepdims", "method", "out_sharding"))
def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False,
               *, weights=None, out_sharding=None):
    """``jax.numpy.percentile``."""
    a, q = ensure_arrays("percentile", a, q)
    base.no_out_sharding(out_sharding, "jax.numpy.percentile")
    q, = promote_inexact(q)
    return quantile(a, q / 100, axis=axis, out=out, overwrite_input=overwrite_input,
                    method=method, keepdims=keepdims, weights=weights)


@jit(static_argnames=("axis", "overwrite_input", "keepdims"))
def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """``jax.numpy.median``."""
    a = ensure_array("median", a)
    return quantile(a, 0.5, axis=axis, out=out, overwrite_input=overwrite_input,
                    keepdims=keepdims, method="midpoint")


@jit(static_argnames=("axis", "edge_order"))
def gradient(f, *varargs, axis=None, edge_order=None):
    """``jax.numpy.gradient`` with scalar spacing."""
    if edge_order is not None:
        raise NotImplementedError("The 'edge_order' argument to jnp.gradient is not supported.")
    a, *spacing = promote_inexact(f, *varargs)
    axes = tuple(range(a.ndim)) if axis is None else tuple(
        base.canonical_axis(i, a.ndim) for i in base.index_tuple(axis))
    if not axes:
        return []
    if min(a.shape[i] for i in axes) < 2:
        raise ValueError("Shape of array too small to calculate a numerical gradient, at least 2 "
                         "elements are required.")
    if len(spacing) not in (0, 1, len(axes)):
        raise TypeError(f"Invalid number of spacing arguments {len(spacing)} for axis={axis!r}")
    steps = [1.0] * len(axes) if not spacing else (
        spacing * len(axes) if len(spacing) == 1 else spacing)
    out = [_slope(a, h, ax) for ax, h in zip(axes, steps)]
    return out[0] if len(axes) == 1 else out


def _slope(a: Any, h: Any, axis: int) -> Any:
    if base.ndim(h):
        raise OutOfScope("jax.numpy.gradient with spacing arrays", "use one number per axis")

    def part(start: Any, stop: Any) -> Any:
        return slicing.slice_in_dim(a, start, stop, axis=axis)

    upper = part(1, 2) - part(0, 1)
    lower = part(-1, None) - part(-2, -1)
    inner = (part(2, None) - part(None, -2)) * 0.5 / h
    lower = lower / h
    upper = upper / h
    return concatenate((upper, inner, lower), axis=axis)


@jit(static_argnames=("axis",))
def trapezoid(y, x=None, dx=1.0, axis=-1):
    """``jax.numpy.trapezoid``."""
    from simulator.facade.jax.numpy.choosing import diff
    if x is None:
        y_arr, = promote_inexact(ensure_array("trapezoid", y))
        step = asarray(dx)
        if step.ndim > 0:
            step = shapes.expand_dims(step, range(y_arr.ndim - step.ndim))
            step = moveaxis(step, axis, -1)
    else:
        y_arr, x_arr = promote_inexact(*ensure_arrays("trapezoid", y, x))
        step = diff(x_arr) if x_arr.ndim == 1 else moveaxis(diff(x_arr, axis=axis), axis, -1)
    y_arr = moveaxis(y_arr, axis, -1)
    if step.ndim == 0 or step.shape[-1] == 1:
        step = step if step.ndim == 0 else step[..., 0]
        return step * (y_arr.sum(-1) - 0.5 * (y_arr[..., 0] + y_arr[..., -1]))
    return 0.5 * (step * (y_arr[..., 1:] + y_arr[..., :-1])).sum(-1)


def unravel_index(indices, shape):
    """``jax.numpy.unravel_index``."""
    left = ensure_array("unravel_index", indices)
    try:
        sizes = list(shape)
    except TypeError:
        sizes = [shape]
    if any(base.ndim(s) != 0 for s in sizes):
        raise ValueError("unravel_index: shape should be a scalar or 1D sequence.")
    found: list = [0] * len(sizes)
    for i, s in reversed(list(enumerate(sizes))):
        left, found[i] = arithmetic.divmod(left, s)
    above = left > 0
    below = asarray(False) if left.dtype.family == "u" else left < -1
    return tuple(where(above, s - 1, where(below, 0, i)) for s, i in zip(sizes, found))


def array_equiv(a1, a2):
    """``jax.numpy.array_equiv``."""
    a1, a2 = asarray(a1), asarray(a2)
    try:
        same = arithmetic.equal(a1, a2)
    except ValueError:
        return array(False)
    return red.all(same)


def ix_(*args):
    """``jax.numpy.ix_``."""
    args = ensure_arrays("ix", *args)
    output = []
    for i, a in enumerate(args):
        if a.ndim != 1:
            raise ValueError("Arguments to jax.numpy.ix_ must be 1-dimensional, got shape "
                             f"{a.shape}")
        if a.dtype.family == "b":
            raise NotImplementedError("Boolean arguments to jax.numpy.ix_ are not implemented")
        shape = [1] * len(args)
        shape[i] = a.shape[0]
        output.append(shapes.broadcast_in_dim(a, shape, (i,)))
    return tuple(output)


s_, index_exp = IndexExpression(False), IndexExpression(True)
