"""``jax.numpy``: elements chosen by a condition or a number, and elements put at places.

JAX source: ``jax/_src/numpy/indexing.py: put_along_axis, place, put``;
``jax/_src/numpy/lax_numpy.py: choose, compress, extract, diagflat, trim_zeros``.
"""

from __future__ import annotations

from typing import Any

from simulator.api import jit
from simulator.facade.jax.lax import base
from simulator.facade.jax.numpy import util
from simulator.facade.jax.numpy.choosing import argsort, clip, where
from simulator.facade.jax.numpy.constructors import array, asarray
from simulator.facade.jax.numpy.creation import indices as indices_of
from simulator.facade.jax.numpy.creation import zeros
from simulator.facade.jax.numpy.index_arrays import unravel_index
from simulator.facade.jax.numpy.moving import tile
from simulator.facade.jax.numpy.ranges import arange
from simulator.facade.jax.numpy.reductions import any as any_
from simulator.facade.jax.numpy.reshaping import broadcast_arrays, expand_dims, moveaxis, ravel

_STATIC_SIZE = (
    "The size argument of jnp.compress must be specified in order to use jnp.compress within JAX "
    "transformations like jax.jit, jax.vmap, and jax.grad. For more information, refer to the "
    "jnp.compress documentation.")


def _in_place(name: str, arrays: str = "JAX arrays are") -> ValueError:
    return ValueError(f"jax.numpy.{name} cannot modify arrays in-place, because {arrays} "
                      "immutable. Pass inplace=False to instead return an updated array.")


@jit(static_argnames=("axis", "inplace", "mode"))
def put_along_axis(arr, indices, values, axis, inplace=True, *, mode=None):
    """``jax.numpy.put_along_axis``. ValueError in place, and for shapes that do not fit."""
    if inplace:
        raise _in_place("put_along_axis", "JAX arraysare")
    arr, indices, values = util.ensure_arrays("put_along_axis", arr, indices, values)
    shape, flat = arr.shape, axis is None
    if flat:
        arr, axis = arr.ravel(), 0
    if arr.ndim != indices.ndim:
        raise ValueError("put_along_axis arguments 'arr' and 'indices' must have same ndim. Got "
                         f"{arr.ndim=} and {indices.ndim=}.")
    try:
        values = util.broadcast_to(values, indices.shape)
    except ValueError:
        raise ValueError("put_along_axis argument 'values' must be broadcastable to 'indices'. "
                         f"Got {values.shape=} and {indices.shape=}.") from None
    where_to = list(indices_of(arr.shape, sparse=True))
    where_to[axis] = indices
    result = arr.at[tuple(where_to)].set(values, mode=mode)
    return result.reshape(shape) if flat else result


def _repeated(values: Any, size: int) -> Any:
    if values.size < size:
        values = tile(values, -(-size // values.size))
    return values[:size] if values.size > size else values


def place(arr, mask, vals, *, inplace=True):
    """``jax.numpy.place``. ValueError in place, and for sizes that do not fit."""
    data, mask, vals = util.ensure_arrays("place", arr, mask, vals)
    vals = vals.ravel()
    if inplace:
        raise _in_place("place")
    if data.size != mask.size:
        raise ValueError("place: arr and mask must be the same size")
    if not vals.size:
        raise ValueError("Cannot place values from an empty array")
    if not data.size:
        return data
    [where_to] = where(mask.ravel(), size=mask.size, fill_value=mask.size)
    vals = _repeated(vals, len(where_to))
    return data.ravel().at[where_to].set(vals, mode="drop").reshape(data.shape)


def put(a, ind, v, mode=None, *, inplace=True):
    """``jax.numpy.put``. ValueError in place, and for an unknown mode."""
    if inplace:
        raise _in_place("put")
    arr, ind, _ = util.ensure_arrays("put", a, ind, v)
    ind, v = ind.ravel(), ravel(v)
    if not arr.size or not ind.size or not v.size:
        return arr
    v = _repeated(v, len(ind))
    how = "drop" if mode is None else "promise_in_bounds"
    if mode == "clip":
        ind = clip(ind, 0, arr.size - 1)
    elif mode == "wrap":
        ind = ind % arr.size
    elif mode == "raise":
        raise NotImplementedError("The 'raise' mode to jnp.put is not supported.")
    elif mode is not None:
        raise ValueError(f"mode should be one of 'wrap' or 'clip'; got {mode=}")
    return arr.at[unravel_index(ind, arr.shape)].set(v, mode=how)


def choose(a, choices, out=None, mode="raise"):
    """``jax.numpy.choose``: of several arrays, element by element."""
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.choose is not supported.")
    a, *choices = util.ensure_arrays("choose", a, *choices)
    if not base.is_kind(a, "iu"):
        raise ValueError("`a` array must be integer typed")
    n = len(choices)
    if mode == "raise":
        arr = base.concrete(asarray, a, "The error occurred because jnp.choose was jit-compiled "
                            "with mode='raise'. Use mode='wrap' or mode='clip' instead.")
        if any_((arr < 0) | (arr >= n)):
            raise ValueError("invalid entry in choice array")
    elif mode == "wrap":
        arr = asarray(a) % n
    elif mode == "clip":
        arr = clip(a, 0, n - 1)
    else:
        raise ValueError(f"{mode=} not understood. Must be 'raise', 'wrap', or 'clip'")
    arr, *choices = broadcast_arrays(arr, *choices)
    return array(choices)[(arr, *indices_of(arr.shape, sparse=True))]


def compress(condition, a, axis=None, *, size=None, fill_value=0, out=None):
    """``jax.numpy.compress``: the rows for which a condition holds. ConcretizationTypeError
    for a traced condition without `size`."""
    condition, arr, fill_value = util.ensure_arrays("compress", condition, a, fill_value)
    condition = condition.astype(bool)
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.compress is not supported.")
    if condition.ndim != 1:
        raise ValueError("condition must be a 1D array")
    if axis is None:
        axis, arr = 0, ravel(arr)
    else:
        arr = moveaxis(arr, axis, 0)
    condition, extra = condition[:arr.shape[0]], condition[arr.shape[0]:]
    arr = arr[:condition.shape[0]]
    if size is None:
        condition = base.concrete(None, condition, _STATIC_SIZE)
        extra = base.concrete(None, extra, _STATIC_SIZE)
        if extra.any():
            raise ValueError("condition contains entries that are out of bounds")
        result = arr[condition]
    elif not 0 <= size <= arr.shape[0]:
        raise ValueError("size must be positive and not greater than the size of the array axis; "
                         f"got {size=} for a.shape[axis]={arr.shape[0]}")
    else:
        mask = expand_dims(condition, range(1, arr.ndim))
        arr = where(mask, arr, array(fill_value, dtype=arr.dtype))
        result = arr[argsort(condition, stable=True, descending=True)][:size]
    return moveaxis(result, 0, axis)


def extract(condition, arr, *, size=None, fill_value=0):
    """``jax.numpy.extract``. ConcretizationTypeError for a traced condition without `size`."""
    util.check_arraylike("extreact", condition, arr, fill_value)
    return compress(ravel(condition), ravel(arr), size=size, fill_value=fill_value)


def diagflat(v, k=0):
    """``jax.numpy.diagflat``."""
    util.check_arraylike("diagflat", v)
    v = ravel(v)
    n = len(v) + abs(k)
    flat = zeros(n * n, dtype=v.dtype)
    i = arange(0, n - abs(k))
    at = i + k + i * n if k >= 0 else i + (i - k) * n
    return flat.at[at].set(v).reshape(n, n)


def trim_zeros(filt, trim="fb", axis=None):
    """``jax.numpy.trim_zeros``. ConcretizationTypeError for a tracer."""
    filt = util.ensure_array("trim_zeros", filt)
    base.concrete(None, filt, "Error arose in the `filt` argument of trim_zeros()")
    axes = set(base.canonical_axes(axis, filt.ndim))
    front, back = "f" in trim.lower(), "b" in trim.lower()
    if not axes or not (front or back):
        return filt

    def kept(axis: int) -> slice:
        if axis not in axes:
            return slice(None)
        mask = filt.any(axis=[i for i in range(filt.ndim) if i != axis])
        if not mask.any():
            return slice(0, 0)
        return slice(int(mask.argmax()) if front else None,
                     filt.shape[axis] - int(mask[::-1].argmax()) if back else None)

    return filt[tuple(map(kept, range(filt.ndim)))]
