"""Rearranging arrays: reshape, broadcast, concatenate, split, flip and friends."""

from __future__ import annotations

from simulator.device_arrays.arrays import Array
from simulator.jaxprs.tracer import Tracer
from simulator.ndarrays import ndarray_make as make
from simulator.ndarrays.beyond import only
from simulator.ndarrays.cells import broadcast_strides
from simulator.ndarrays.ndarray import NDArray
from simulator.ndarrays.ndarray_index import axis_of
from simulator.types.rounding import cast


def reshape(a, shape, order="C", copy=None):
    """The elements in another shape; one size may be -1. A view where NumPy gives one."""
    return make.asarray(a).reshape(shape, order=order, copy=copy)


def ravel(a, order="C"):
    """One axis. A view where NumPy gives one."""
    return make.asarray(a).ravel(order)


def transpose(a, axes=None):
    """A view with the axes in another order, reversed by default."""
    return make.asarray(a).transpose(axes)


permute_dims = transpose


def matrix_transpose(x):
    """A view with the last two axes exchanged. ValueError for fewer than 2 axes."""
    return make.asarray(x).mT


def swapaxes(a, axis1, axis2):
    """A view with two axes exchanged."""
    return make.asarray(a).swapaxes(axis1, axis2)


def _as_it_is(a):
    # NumPy asks for no more than methods and indexing here: JAX's arrays stay what they are.
    return a if isinstance(a, (Array, Tracer)) else make.asarray(a)


def moveaxis(a, source, destination):
    """A view with the axes `source` at the places `destination`, the others in order."""
    a = _as_it_is(a)
    src = [axis_of(s, a.ndim) for s in (source if isinstance(source, (tuple, list))
                                        else (source,))]
    dst = [axis_of(d, a.ndim) for d in (destination if isinstance(destination, (tuple, list))
                                        else (destination,))]
    order = [i for i in range(a.ndim) if i not in src]
    for d, s in sorted(zip(dst, src)):
        order.insert(d, s)
    return a.transpose(order)


def squeeze(a, axis=None):
    """A view without the axes of size 1, or without those named. ValueError when another
    size is named."""
    return make.asarray(a).squeeze(axis)


def expand_dims(a, axis):
    """A view with an axis of size 1 at each place of the result that `axis` names."""
    a = make.asarray(a)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    ndim = a.ndim + len(axes)
    places = {axis_of(x, ndim) for x in axes}
    sizes = iter(a.shape)
    return a.reshape([1 if i in places else next(sizes) for i in range(ndim)])


def broadcast_to(array, shape, subok=False):
    """A read-only view of another shape. ValueError when it does not broadcast."""
    a = make.asarray(array)
    shape = (shape,) if hasattr(shape, "__index__") else tuple(shape)
    if len(shape) < a.ndim or any(n not in (1, m) for n, m in zip(
            reversed(a.shape), reversed(shape))):
        def text(s):
            return "(" + ",".join(map(str, s)) + ("," if len(s) == 1 else "") + ")"
        raise ValueError("operands could not be broadcast together with remapped shapes "
                         f"[original->remapped]: {text(a.shape)}  and requested shape "
                         f"{text(shape)}")
    if a.base is not None:
        a = a.copy()
    out = a._view(shape, broadcast_strides(a.shape, shape), 0)
    out.setflags(write=False)
    return out


def broadcast_shapes(*shapes):
    """The shape that all shapes broadcast to. ValueError when there is none."""
    shapes = [(s,) if hasattr(s, "__index__") else tuple(s) for s in shapes]
    try:
        return make.broadcast_shapes(*shapes)
    except ValueError:
        known: tuple = ()
        for i, s in enumerate(shapes):
            try:
                known = make.broadcast_shapes(known, s)
            except ValueError:
                raise ValueError(
                    "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is "
                    f"between arg 0 with shape {shapes[0]} and arg {i} with shape {s}.") from None
        raise


def broadcast_arrays(*args, subok=False):
    """All arrays as views of their common shape."""
    arrays = [make.asarray(a) for a in args]
    shape = broadcast_shapes(*(a.shape for a in arrays))
    return tuple(broadcast_to(a, shape) for a in arrays)


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


def atleast_1d(*arys):
    """Each argument with at least one axis: one array, or a tuple of several."""
    out = [a.reshape(1) if not (a := make.asarray(x)).ndim else a for x in arys]
    return out[0] if len(out) == 1 else tuple(out)


def atleast_2d(*arys):
    """Each argument with at least two axes: one array, or a tuple of several."""
    out = [a.reshape(1, -1) if (a := make.asarray(x)).ndim < 2 else a for x in arys]
    return out[0] if len(out) == 1 else tuple(out)


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


def flip(m, axis=None):
    """A view with the elements in reverse order along `axis`, or along all axes."""
    a = _as_it_is(m)
    axes = range(a.ndim) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    places = {axis_of(x, a.ndim) for x in axes}
    return a[tuple(slice(None, None, -1) if i in places else slice(None)
                   for i in range(a.ndim))]


def flipud(m):
    """A view with the first axis reversed."""
    return flip(m, 0)


def fliplr(m):
    """A view with the second axis reversed."""
    return flip(m, 1)


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
    from simulator.errors import OutOfScope
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
