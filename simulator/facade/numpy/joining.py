"""Arrays put together, cut into parts, repeated: concatenate, stack, split, tile, pad."""

from __future__ import annotations

from simulator.errors import OutOfScope
from simulator.facade.numpy.shaping import (
    _as_it_is,
    atleast_1d,
    atleast_2d,
    atleast_3d,
    broadcast_to,
    expand_dims,
)
from simulator.ndarrays import ndarray_make as make
from simulator.ndarrays.beyond import only
from simulator.ndarrays.ndarray import NDArray
from simulator.ndarrays.ndarray_index import axis_of
from simulator.types.rounding import cast


def concatenate(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    """Join along an existing axis (None: flattened). OutOfScope: ``out``, other casting."""
    only("concatenate", out=out, casting=None if casting == "same_kind" else casting)
    parts = [make.asarray(a) for a in arrays]
    if not parts:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        parts, axis = [p.ravel() for p in parts], 0
    first = parts[0]
    if not all(p.ndim for p in parts):
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    for i, p in enumerate(parts):
        if p.ndim != first.ndim:
            raise ValueError(
                "all the input arrays must have same number of dimensions, but the array at index "
                f"0 has {first.ndim} dimension(s) and the array at index {i} has {p.ndim} "
                "dimension(s)")
    axis = axis_of(axis, first.ndim)
    for i, p in enumerate(parts):
        for d in range(first.ndim):
            if d != axis and p.shape[d] != first.shape[d]:
                raise ValueError(
                    "all the input array dimensions except for the concatenation axis must "
                    f"match exactly, but along dimension {d}, the array at index 0 has size "
                    f"{first.shape[d]} and the array at index {i} has size {p.shape[d]}")
    to = make.result_dtype([(p, 0) for p in parts]) if dtype is None else make.dt.dtype(dtype)
    shape = list(first.shape)
    shape[axis] = sum(p.shape[axis] for p in parts)
    inner = [_count(p.shape[axis:]) for p in parts]
    outer = _count(first.shape[:axis])
    kinds = [p.dtype for p in parts]

    def run(*lists):
        lists = [cast(v, k, to, saturate=False) for v, k in zip(lists, kinds)]
        joined = []
        for o in range(outer):
            for v, n in zip(lists, inner):
                joined += v[o * n:(o + 1) * n]
        return joined
    return NDArray.lazy(shape, to, run, parts)


concat = concatenate


def _count(shape) -> int:
    n = 1
    for d in shape:
        n *= d
    return n


def stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    """Arrays of one shape along a new axis. ValueError when shapes differ, or for none."""
    parts = [make.asarray(a) for a in arrays]
    if not parts:
        raise ValueError("need at least one array to stack")
    if len({p.shape for p in parts}) != 1:
        raise ValueError("all input arrays must have the same shape")
    axis = axis_of(axis, parts[0].ndim + 1)
    return concatenate([expand_dims(p, axis) for p in parts], axis, out, dtype=dtype,
                       casting=casting)


def vstack(tup, *, dtype=None, casting="same_kind"):
    """Arrays one below the other, along the first axis; vectors are rows."""
    return concatenate([atleast_2d(a) for a in tup], 0, dtype=dtype, casting=casting)


def hstack(tup, *, dtype=None, casting="same_kind"):
    """Arrays side by side: along the second axis, vectors along their only one."""
    parts = [atleast_1d(a) for a in tup]
    return concatenate(parts, 0 if parts[0].ndim == 1 else 1, dtype=dtype, casting=casting)


def array_split(ary, indices_or_sections, axis=0):
    """Views of parts along `axis`: a number of nearly equal ones, or cut at the indices."""
    a = _as_it_is(ary)
    axis = axis_of(axis, a.ndim)
    n = a.shape[axis]
    if hasattr(indices_or_sections, "__index__"):
        k = indices_or_sections.__index__()
        sizes = [n // k + (i < n % k) for i in range(k)]
        edges = [sum(sizes[:i]) for i in range(k + 1)]
    else:
        edges = [0, *[int(i) for i in indices_or_sections], n]
    if not isinstance(a, NDArray):
        front = a.swapaxes(axis, 0)
        return [front[lo:hi].swapaxes(axis, 0) for lo, hi in zip(edges, edges[1:])]
    lead = (slice(None),) * axis
    return [a[(*lead, slice(lo, hi))] for lo, hi in zip(edges, edges[1:])]


def split(ary, indices_or_sections, axis=0):
    """Like `array_split`. ValueError when a number of parts does not divide the size."""
    if hasattr(indices_or_sections, "__index__") and \
            _as_it_is(ary).shape[axis] % indices_or_sections.__index__():
        raise ValueError("array split does not result in an equal division")
    return array_split(ary, indices_or_sections, axis)


def tile(A, reps):
    """The array repeated `reps` times along each axis."""
    reps = (reps,) if hasattr(reps, "__index__") else tuple(reps)
    a = make.asarray(A)
    a = a.reshape((1,) * (len(reps) - a.ndim) + a.shape)
    reps = (1,) * (a.ndim - len(reps)) + reps
    for axis, r in enumerate(reps):
        a = concatenate([a] * r, axis) if r else a[(slice(None),) * axis + (slice(0, 0),)]
    return a.copy()


def roll(a, shift, axis=None):
    """Elements moved on by `shift` along `axis`, the last ones to the front."""
    a = make.asarray(a)
    if axis is None:
        return roll(a.ravel(), shift, 0).reshape(a.shape)
    if isinstance(axis, (tuple, list)):
        shifts = shift if isinstance(shift, (tuple, list)) else [shift] * len(axis)
        for s, x in zip(shifts, axis):
            a = roll(a, s, x)
        return a
    axis = axis_of(axis, a.ndim)
    n = a.shape[axis]
    lead = (slice(None),) * axis
    k = shift % n if n else 0
    return concatenate([a[(*lead, slice(n - k, n))], a[(*lead, slice(0, n - k))]], axis)


def append(arr, values, axis=None):
    """`values` after `arr` along `axis`; both flattened without one."""
    if axis is None:
        return concatenate([make.asarray(arr).ravel(), make.asarray(values).ravel()])
    return concatenate([arr, values], axis)


def delete(arr, obj, axis=None):
    """The array without the elements that `obj` names along `axis`; flattened without one."""
    a = make.asarray(arr)
    if axis is None:
        a, axis = a.ravel(), 0
    axis = axis_of(axis, a.ndim)
    n = a.shape[axis]
    if isinstance(obj, slice):
        drop = set(range(*obj.indices(n)))
    else:
        drop = {i % n for i in make.asarray(obj).reshape(-1).tolist()}
    keep = [i for i in range(n) if i not in drop]
    return a[(slice(None),) * axis + (make.asarray(keep, "int64"),)]


def pad(array, pad_width, mode="constant", **kwargs):
    """Constant padding only."""
    if mode != "constant":
        raise OutOfScope(f"numpy.pad with mode {mode!r}")
    a = make.asarray(array)
    widths = make.asarray(pad_width)
    pairs = broadcast_to(widths if widths.ndim != 1 or widths.size == 2 else widths.reshape(-1, 1),
                         (a.ndim, 2)).tolist()
    fill = kwargs.get("constant_values", 0)
    out = NDArray.full([n + lo + hi for n, (lo, hi) in zip(a.shape, pairs)],
                       make.asarray_like(fill, a.dtype).item(), a.dtype)
    out[tuple(slice(lo, lo + n) for n, (lo, hi) in zip(a.shape, pairs))] = a
    return out


def dstack(tup):
    """Arrays one behind the other, along the third axis."""
    return concatenate([atleast_3d(a) for a in tup], 2)


def column_stack(tup):
    """Arrays side by side; vectors are columns."""
    parts = [make.asarray(a) for a in tup]
    return concatenate([p.reshape(-1, 1) if p.ndim < 2 else p for p in parts], 1)


def _splitting(name: str, axis: int, least: int):
    def cut(ary, indices_or_sections):
        a = _as_it_is(ary)
        if a.ndim < least:
            raise ValueError(f"{name} only works on arrays of {least} or more dimensions")
        return split(a, indices_or_sections, 0 if a.ndim == 1 else axis)
    cut.__name__ = cut.__qualname__ = name
    cut.__doc__ = f"`split` along axis {axis}."
    return cut


vsplit = _splitting("vsplit", 0, 2)
hsplit = _splitting("hsplit", 1, 1)
dsplit = _splitting("dsplit", 2, 3)


def insert(arr, obj, values, axis=None):
    """`values` before the places of `obj` along an axis; flattened without one."""
    a = make.asarray(arr)
    if axis is None:
        a, axis = a.ravel(), 0
    axis = axis_of(axis, a.ndim)
    n = a.shape[axis]
    places = make.asarray(obj)
    at = [i + n if i < 0 else i for i in places.reshape(-1).tolist()]
    new = make.asarray(values).astype(a.dtype)
    if not places.ndim and new.ndim == a.ndim and new.shape[axis] != 1:
        at = at * new.shape[axis]
    shape = (*a.shape[:axis], len(at), *a.shape[axis + 1:])
    if not places.ndim and new.ndim and new.ndim < a.ndim:
        new = expand_dims(new, axis)
    new = broadcast_to(new, shape)
    order = sorted(range(n + len(at)),
                   key=lambda i: (i, 1) if i < n else (at[i - n], 0))
    both = concatenate([a, new], axis)
    return both[(slice(None),) * axis + (make.asarray(order, "int64"),)]


def resize(a, new_shape):
    """The elements in another shape, again from the first where there are too few."""
    shape = (new_shape,) if hasattr(new_shape, "__index__") else tuple(new_shape)
    a, n = make.asarray(a).ravel(), _count(shape)
    if not a.size:
        return NDArray.full(shape, 0, a.dtype)
    return tile(a, -(-n // a.size))[:n].reshape(shape) if n else a[:0].reshape(shape)
