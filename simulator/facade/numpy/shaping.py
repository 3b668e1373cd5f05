"""Arrays in other shapes: reshape, transpose, broadcast, flip. Views where NumPy gives one."""

from __future__ import annotations

from simulator.device_arrays.arrays import Array
from simulator.jaxprs.tracer import Tracer
from simulator.ndarrays import ndarray_make as make
from simulator.ndarrays.cells import broadcast_strides
from simulator.ndarrays.ndarray_index import axis_of


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


def atleast_1d(*arys):
    """Each argument with at least one axis: one array, or a tuple of several."""
    out = [a.reshape(1) if not (a := make.asarray(x)).ndim else a for x in arys]
    return out[0] if len(out) == 1 else tuple(out)


def atleast_2d(*arys):
    """Each argument with at least two axes: one array, or a tuple of several."""
    out = [a.reshape(1, -1) if (a := make.asarray(x)).ndim < 2 else a for x in arys]
    return out[0] if len(out) == 1 else tuple(out)


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


def atleast_3d(*arys):
    """Each argument with at least three axes: one array, or a tuple of several."""
    out = []
    for x in arys:
        a = make.asarray(x)
        out.append(a.reshape(1, -1, 1) if a.ndim < 2 else a[:, :, None] if a.ndim == 2 else a)
    return out[0] if len(out) == 1 else tuple(out)


def rollaxis(a, axis, start=0):
    """A view with an axis moved before another one."""
    a = _as_it_is(a)
    axis = axis_of(axis, a.ndim)
    start = start + a.ndim if start < 0 else start
    return moveaxis(a, axis, start - 1 if axis < start else start)


def rot90(m, k=1, axes=(0, 1)):
    """A view turned by a quarter, `k` times, in the plane of two axes."""
    a = _as_it_is(m)
    one, two = (axis_of(i, a.ndim) for i in axes)
    if one == two:
        raise ValueError("Axes must be different.")
    if k % 4 == 0:
        return a[:]
    if k % 4 == 2:
        return flip(flip(a, one), two)
    return swapaxes(flip(a, two), one, two) if k % 4 == 1 else flip(swapaxes(a, one, two), two)
