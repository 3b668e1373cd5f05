"""``jax.numpy`` functions that choose: where, clip, select, nonzero, argmax, sort, diff.

JAX source: ``jax/_src/numpy/lax_numpy.py: where, clip, nonzero, argmax, diff …``;
``jax/_src/numpy/sorting.py: sort, argsort``.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from simulator.api import jit
from simulator.facade.jax.lax import base, reducing, shapes
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.numpy import arithmetic, util
from simulator.facade.jax.numpy.constructors import asarray
from simulator.facade.jax.numpy.creation import zeros
from simulator.facade.jax.numpy.cumulating import cumsum
from simulator.facade.jax.numpy.joining import concatenate, stack
from simulator.facade.jax.numpy.predicates import isnan, isneginf, isposinf
from simulator.facade.jax.numpy.ranges import arange
from simulator.facade.jax.numpy.reshaping import broadcast_arrays, broadcast_to, expand_dims, ravel
from simulator.facade.jax.numpy.util import (
    check_arraylike,
    ensure_array,
    promote_dtypes,
)
from simulator.types import dtypes


def where(condition, x=None, y=None, /, *, size=None, fill_value=None):
    """``jax.numpy.where``, with one or three arguments."""
    if x is None and y is None:
        check_arraylike("where", condition)
        return nonzero(condition, size=size, fill_value=fill_value)
    check_arraylike("where", condition, x, y)
    if size is not None or fill_value is not None:
        raise ValueError("size and fill_value arguments cannot be used in three-term where "
                         "function.")
    if x is None or y is None:
        raise ValueError("Either both or neither of the x and y arguments should be provided to "
                         f"jax.numpy.where, got {x} and {y}.")
    return util._where(condition, x, y)


def select(condlist, choicelist, default=0):
    """``jax.numpy.select``."""
    if len(condlist) != len(choicelist):
        raise ValueError("condlist must have length equal to choicelist "
                         f"({len(condlist)} vs {len(choicelist)})")
    if len(condlist) == 0:
        raise ValueError("condlist must be non-empty")
    check_arraylike("select", *condlist, *choicelist, default)
    condlist = [asarray(c) for c in condlist]
    choicelist = [asarray(c) for c in choicelist]
    default = asarray(default)
    choicelist = promote_dtypes(default, *choicelist)
    conditions = stack(broadcast_arrays(False, *condlist))
    index = argmax(conditions.astype(bool), axis=0)
    return el.select_n(*broadcast_arrays(index, *choicelist))


@jit
def clip(arr=None, /, min=None, max=None):
    """``jax.numpy.clip``. ValueError for complex numbers."""
    if arr is None:
        raise ValueError("No input was provided to the clip function.")
    check_arraylike("clip", arr)
    if any(arithmetic.iscomplexobj(t) for t in (arr, min, max)):
        raise ValueError("Clip received a complex value either through the input or the min/max "
                         "keywords. Complex values have no ordering and cannot be clipped. Please "
                         "convert to a real value or array by taking the real or imaginary "
                         "components via jax.numpy.real/imag respectively.")
    if min is not None:
        arr = arithmetic.maximum(min, arr)
    if max is not None:
        arr = arithmetic.minimum(max, arr)
    return asarray(arr)


@jit
def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """``jax.numpy.nan_to_num``."""
    x = ensure_array("nan_to_num", x)
    d = x.dtype
    if d.family not in "fc":
        return x
    if d.family == "c":
        return el.complex(nan_to_num(el.real(x), nan=nan, posinf=posinf, neginf=neginf),
                          nan_to_num(el.imag(x), nan=nan, posinf=posinf, neginf=neginf))
    info = dtypes.finfo(d)
    posinf = info.max if posinf is None else posinf
    neginf = info.min if neginf is None else neginf
    out = where(isnan(x), asarray(nan, dtype=d), x)
    out = where(isposinf(out), asarray(posinf, dtype=d), out)
    return where(isneginf(out), asarray(neginf, dtype=d), out)


def nonzero(a, *, size=None, fill_value=None):
    """``jax.numpy.nonzero``. ConcretizationTypeError for a traced array without `size`."""
    arr = ensure_array("nonzero", a)
    if arr.ndim == 0:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use "
                         "jnp.atleast_1d(scalar).nonzero() instead.")
    mask = arr if arr.dtype.family == "b" else arr != 0
    wanted = mask.sum() if size is None else size
    count = base.concrete(operator.index, wanted,
                          "The size argument of jnp.nonzero must be statically specified to use "
                          "jnp.nonzero within JAX transformations.")
    if arr.size == 0 or count == 0:
        return tuple(zeros(count, int) for _ in arr.shape)
    flat = cumsum(bincount(cumsum(mask), length=count))
    strides = [math.prod(arr.shape[i + 1:]) for i in range(arr.ndim)]
    out = tuple(flat // _stride(s, flat.dtype) % n for s, n in zip(strides, arr.shape))
    if fill_value is not None:
        fills = fill_value if isinstance(fill_value, tuple) else arr.ndim * (fill_value,)
        if any(base.shape(v) != () for v in fills):
            raise ValueError(f"fill_value must be a scalar or a tuple of length {arr.ndim}; got "
                             f"{fill_value}")
        beyond = arange(count) >= mask.sum()
        out = tuple(where(beyond, v, entry) for v, entry in zip(fills, out))
    return out


def _stride(value: int, d: Any) -> Any:
    # A NumPy integer of the index type, so that it is not weak.
    from simulator.types.scalar_types import make
    return make(d, value)


def flatnonzero(a, *, size=None, fill_value=None):
    """``jax.numpy.flatnonzero``."""
    return nonzero(ravel(a), size=size, fill_value=fill_value)[0]


def bincount(x, weights=None, minlength=0, *, length=None, out_sharding=None):
    """``jax.numpy.bincount``."""
    from simulator.facade.jax.lax.convert import convert_element_type
    from simulator.ndarrays.ndarray import asarray as numpy_array
    x = ensure_array("bincount", x)
    if x.dtype.family == "b":
        x = convert_element_type(x, "int32")
    if x.dtype.family not in "iu":
        raise TypeError(f"x argument to bincount must have an integer type; got {x.dtype}")
    if x.ndim != 1:
        raise ValueError("only 1-dimensional input supported.")
    base.no_out_sharding(out_sharding, "jax.numpy.bincount")
    minlength = base.concrete(operator.index, minlength,
                              "The error occurred because of argument 'minlength' of "
                              "jnp.bincount.")
    if length is None:
        arr = base.concrete(asarray, x, "The error occurred because of argument 'x' of "
                                        "jnp.bincount. To avoid this error, pass a static "
                                        "`length` argument.")
        length = max(minlength, arr.size and int(max(0, arr.max())) + 1)
    else:
        length = base.concrete(operator.index, length,
                               "The error occurred because of argument 'length' of jnp.bincount.")
    if weights is None:
        weights = numpy_array(1, base.default_int())
    elif base.shape(x) != base.shape(weights):
        raise ValueError("type of weights must match type of x. Got "
                         f"typeof(x)={base.typeof(x).str_short(True, True)} and "
                         f"typeof(weights)={base.typeof(weights).str_short(True, True)}")
    return zeros(length, base.dtype(weights)).at[clip(x, 0)].add(weights, mode="drop")


def _arg(name: str, operation: Any) -> Any:
    """The jitted function behind argmax or argmin."""
    def fun(a, axis=None, keepdims=False):
        if axis is None:
            dims = list(range(a.ndim))
            a, axis = ravel(a), 0
        else:
            dims = [axis]
        if a.shape[axis] == 0:
            raise ValueError(f"attempt to get {name} of an empty sequence")
        result = operation(a, base.canonical_axis(axis, a.ndim), int)
        return expand_dims(result, dims) if keepdims else result
    fun.__name__ = fun.__qualname__ = f"_{name}"
    return jit(fun, static_argnames=("axis", "keepdims"), inline=True)


_argmax, _argmin = _arg("argmax", reducing.argmax), _arg("argmin", reducing.argmin)


def argmax(a, axis=None, out=None, keepdims=None):
    """``jax.numpy.argmax``."""
    arr = ensure_array("argmax", a)
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.argmax is not supported.")
    return _argmax(arr, None if axis is None else operator.index(axis), keepdims=bool(keepdims))


def argmin(a, axis=None, out=None, keepdims=None):
    """``jax.numpy.argmin``."""
    arr = ensure_array("argmin", a)
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.argmin is not supported.")
    return _argmin(arr, None if axis is None else operator.index(axis), keepdims=bool(keepdims))


def _sortable(name: str, a: Any, axis: Any, kind: Any, order: Any) -> tuple:
    arr = ensure_array(name, a)
    if kind is not None:
        raise TypeError(f"'kind' argument to {name} is not supported. Use stable=True or "
                        "stable=False to specify sort stability.")
    if order is not None:
        raise TypeError(f"'order' argument to {name} is not supported.")
    if axis is None:
        arr, axis = arr.ravel(), 0
    return arr, base.canonical_axis(axis, arr.ndim)


@jit(static_argnames=("axis", "kind", "order", "stable", "descending"))
def sort(a, axis=-1, *, kind=None, order=None, stable=True, descending=False):
    """``jax.numpy.sort``."""
    arr, dimension = _sortable("sort", a, axis, kind, order)
    result = reducing.sort(arr, dimension=dimension, is_stable=stable)
    return shapes.rev(result, dimensions=[dimension]) if descending else result


@jit(static_argnames=("axis", "kind", "order", "stable", "descending", "dtype"))
def argsort(a, axis=-1, *, kind=None, order=None, stable=True, descending=False, dtype=None):
    """``jax.numpy.argsort``."""
    arr, dimension = _sortable("argsort", a, axis, kind, order)
    index = base.default_int() if dtype is None else base.user_dtype(dtype, "argsort")
    iota = shapes.broadcasted_iota(index, arr.shape, dimension,
                                   out_sharding=base.sharding_of(arr.aval))
    if descending and stable:
        arr = shapes.rev(arr, dimensions=[dimension])
        iota = shapes.rev(iota, dimensions=[dimension])
    _, order_ = reducing.sort_key_val(arr, iota, dimension=dimension, is_stable=stable)
    return shapes.rev(order_, dimensions=[dimension]) if descending else order_


@jit(static_argnames=("n", "axis"))
def diff(a, n=1, axis=-1, prepend=None, append=None):
    """``jax.numpy.diff``."""
    arr = ensure_array("diff", a)
    n = base.concrete(operator.index, n, "'n' argument of jnp.diff")
    axis = base.concrete(operator.index, axis, "'axis' argument of jnp.diff")
    if n == 0:
        return arr
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    if arr.ndim == 0:
        raise ValueError(f"diff requires input that is at least one dimensional; got {a}")
    axis = base.canonical_axis(axis, arr.ndim)
    ends = []
    for end in (prepend, append):
        if end is not None:
            end = ensure_array("diff", end)
            if not end.ndim:
                shape = list(arr.shape)
                shape[axis] = 1
                end = broadcast_to(end, tuple(shape))
        ends.append(end)
    joined = [x for x in (ends[0], arr, ends[1]) if x is not None]
    if len(joined) > 1:
        arr = concatenate(joined, axis)
    late, early = [slice(None)] * arr.ndim, [slice(None)] * arr.ndim
    late[axis], early[axis] = slice(1, None), slice(None, -1)
    subtract = operator.ne if arr.dtype.family == "b" else operator.sub
    for _ in range(n):
        arr = subtract(arr[tuple(late)], arr[tuple(early)])
    return arr
