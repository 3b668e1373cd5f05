"""Indexing and shape arguments of NDArray, with NumPy's rules and errors.

Basic indices (ints, slices, None, Ellipsis) make views; arrays of ints or bools
make copies, their broadcast axes placed as NumPy places them.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.ndarrays.cells import broadcast_list, row_major, strided
from simulator.types.dtype_core import bool_


def new_shape(array, shape) -> tuple[int, ...]:
    """Resolve a reshape argument (an int or a sequence, one -1 allowed)."""
    if hasattr(shape, "__index__"):
        shape = (shape,)
    shape = [n.__index__() for n in shape]
    if shape.count(-1) > 1:
        raise ValueError("can only specify one unknown dimension")
    if -1 in shape:
        known = math.prod(n for n in shape if n != -1)
        if known == 0 or array.size % known:
            raise _cannot_reshape(array, shape)
        shape[shape.index(-1)] = array.size // known
    if math.prod(shape) != array.size:
        raise _cannot_reshape(array, shape)
    return tuple(shape)


def _cannot_reshape(array, shape):
    text = ",".join(map(str, shape)) + ("," if len(shape) == 1 else "")
    return ValueError(f"cannot reshape array of size {array.size} into shape ({text})")


def axis_of(axis, ndim: int) -> int:
    """A non-negative axis; NumPy's AxisError (a ValueError and IndexError) otherwise."""
    i = axis.__index__()
    if not -ndim <= i < ndim:
        raise AxisError(f"axis {i} is out of bounds for array of dimension {ndim}")
    return i % ndim if ndim else 0


class AxisError(ValueError, IndexError):
    """`numpy.exceptions.AxisError`."""


def permutation(axes, ndim: int) -> tuple[int, ...]:
    """Check the axes of a transpose."""
    if len(axes) != ndim:
        raise ValueError("axes don't match array")
    axes = tuple(axis_of(a, ndim) for a in axes)
    if len(set(axes)) != ndim:
        raise ValueError("repeated axis in transpose")
    return axes


def squeezable(shape, axis) -> set[int]:
    """The axes that squeeze removes."""
    if axis is None:
        return {i for i, n in enumerate(shape) if n == 1}
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    drop = {axis_of(a, len(shape)) for a in axes}
    if any(shape[a] != 1 for a in drop):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return drop


def _is_int(i) -> bool:
    if isinstance(i, bool) or not hasattr(i, "__index__"):
        return False
    dt = getattr(i, "dtype", None)
    return getattr(i, "ndim", 0) == 0 and (dt is None or dt.family in "iu")


# An Ellipsis that stands for no axis: it still separates index arrays.
_GAP = object()


def _expand(index, ndim: int, mask_dims) -> list:
    """Spell out Ellipsis and missing trailing axes."""
    items = list(index) if isinstance(index, tuple) else [index]
    used = sum(mask_dims(i) for i in items)
    dots = [k for k, i in enumerate(items) if i is Ellipsis]
    if len(dots) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    if used > ndim:
        raise IndexError(f"too many indices for array: array is {ndim}-dimensional, "
                         f"but {used} were indexed")
    fill = [slice(None)] * (ndim - used)
    if dots:
        items[dots[0]:dots[0] + 1] = fill or [_GAP]
    else:
        items += fill
    return items


def _is_scalar_bool(x) -> bool:
    # A Python bool or a boolean NumPy scalar: they index like a mask.
    return isinstance(x, bool) or getattr(x, "scalar_dtype", None) is bool_


def _array_index(i):
    """`i` as an index array (ints, or a mask), or None when it is basic."""
    from simulator.ndarrays.ndarray_core import NDArray
    if i is None or i is Ellipsis or i is _GAP or isinstance(i, slice) or _is_int(i):
        return None
    if _is_scalar_bool(i) or isinstance(i, (list, tuple, NDArray)) or hasattr(i, "__array__"):
        from simulator.ndarrays.ndarray_make import asarray
        a = asarray(i)
        if a.size == 0 and isinstance(i, (list, tuple)):
            a = a.astype("int64")
        if a.dtype.family not in "iub":
            raise IndexError("arrays used as indices must be of integer (or boolean) type")
        return a
    raise IndexError("only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) "
                     "and integer or boolean arrays are valid indices")


def _dims_used(i) -> int:
    if i is None or i is Ellipsis:
        return 0
    a = _array_index(i)
    return a.ndim if a is not None and a.dtype.family == "b" else 1


def check_bounds(i: int, size: int, axis: int) -> int:
    """An index into an axis, negative ones counted from the end."""
    if not -size <= i < size:
        raise IndexError(f"index {i} is out of bounds for axis {axis} with size {size}")
    return i % size


def _basic(array, items):
    """(shape, strides, offset) of a basic index."""
    strides, offset = array._layout()
    shape, out, axis = [], [], 0
    for i in items:
        if i is _GAP:
            continue
        if i is None:
            shape.append(1)
            out.append(0)
            continue
        n, step = array.shape[axis], strides[axis]
        if isinstance(i, slice):
            start, stop, hop = i.indices(n)
            count = len(range(start, stop, hop))
            shape.append(count)
            out.append(step * hop)
            offset += start * step if count else 0
        else:
            offset += check_bounds(i.__index__(), n, axis) * step
        axis += 1
    return shape, out, offset


def _resolve(array, index):
    """A basic index as ("view", shape, strides, offset), else ("copy", shape, positions).

    Positions count in the owning array's element order, so that they serve for
    reading and for writing.
    """
    items = _expand(index, array.ndim, _dims_used)
    arrays = [_array_index(i) for i in items]
    if all(a is None for a in arrays):
        return ("view", *_basic(array, items))
    return ("copy", *_advanced(array, items, arrays))


def _advanced(array, items, arrays):
    from simulator.ndarrays.ndarray_make import broadcast_shapes
    strides, offset = array._layout()
    # Masks stand for the coordinates of their True elements, one array per axis.
    entries, axis = [], 0
    for item, a in zip(items, arrays):
        if item is _GAP:
            entries.append(("gap", None, None))
        elif item is None:
            entries.append(("new", None, None))
        elif a is None and isinstance(item, slice):
            start, stop, hop = item.indices(array.shape[axis])
            n = len(range(start, stop, hop))
            entries.append(("slice", n, (start * strides[axis], hop * strides[axis])))
            axis += 1
        elif a is not None and a.dtype.family == "b":
            if a.shape != array.shape[axis:axis + a.ndim]:
                bad = next(k for k in range(a.ndim) if axis + k >= array.ndim
                           or a.shape[k] != array.shape[axis + k])
                raise IndexError(
                    f"boolean index did not match indexed array along axis {axis + bad}; "
                    f"size of axis is {array.shape[axis + bad]} but size of corresponding "
                    f"boolean axis is {a.shape[bad]}")
            hits = [k for k, v in enumerate(a.values()) if v]
            if a.ndim == 0:
                entries.append(("array", (len(hits),), [0] * len(hits)))
            for n, step in zip(a.shape, row_major(a.shape)):
                entries.append(("array", (len(hits),),
                                [k // step % n * strides[axis] for k in hits]))
                axis += 1
        else:
            shape, values = (a.shape, a.values()) if a is not None else ((), [item.__index__()])
            n = array.shape[axis]
            entries.append(("array", shape, [check_bounds(v, n, axis) * strides[axis]
                                             for v in values]))
            axis += 1
    where = [k for k, e in enumerate(entries) if e[0] == "array"]
    together = broadcast_shapes(*(entries[k][1] for k in where))
    picked = [offset] * math.prod(together)
    for k in where:
        picked = [p + q for p, q in zip(picked, broadcast_list(entries[k][2], entries[k][1],
                                                               together))]
    # NumPy: adjacent index arrays keep their place, separated ones go first.
    in_place = where == list(range(where[0], where[-1] + 1))
    at = where[0] if in_place else 0
    shape, blocks = [], []
    rest = [e for e in entries if e[0] not in ("array", "gap")]
    before = sum(1 for e in entries[:at] if e[0] not in ("array", "gap"))
    for e in rest[:before]:
        shape.append(1 if e[0] == "new" else e[1])
        blocks.append([0] if e[0] == "new" else [e[2][0] + j * e[2][1] for j in range(e[1])])
    shape += together
    blocks.append(picked)
    for e in rest[before:]:
        shape.append(1 if e[0] == "new" else e[1])
        blocks.append([0] if e[0] == "new" else [e[2][0] + j * e[2][1] for j in range(e[1])])
    positions = [0]
    for block in blocks:
        positions = [p + q for p in positions for q in block]
    return shape, positions


def select(array, index):
    """``array[index]`` as an NDArray (0-dimensional for one element)."""
    from simulator.ndarrays.ndarray_core import NDArray
    found = _resolve(array, index)
    if found[0] == "view":
        return array._view(*found[1:])
    _, shape, positions = found
    root = array._base if array._base is not None else array
    return NDArray.lazy(shape, array.dtype, lambda v: [v[p] for p in positions], [root])


def getitem(array, index):
    """``array[index]``: a view, a copy, or a scalar."""
    out = select(array, index)
    if out.ndim == 0 and not _keeps_array(index):
        from simulator.types.scalar_types import as_scalar
        return as_scalar(out)
    return out


def _keeps_array(index) -> bool:
    # a[...] of a 0-d array, and masks, give arrays.
    return any(i is Ellipsis for i in (index if isinstance(index, tuple) else (index,)))


def setitem(array, index, value) -> None:
    """``array[index] = value``, the value cast and broadcast."""
    from simulator.ndarrays.ndarray_make import asarray_like
    found = _resolve(array, index)
    if found[0] == "view":
        _, shape, strides, offset = found
        positions = strided(shape, strides, offset)
    else:
        _, shape, positions = found
    value = asarray_like(value, array.dtype)
    own = value.shape
    while len(own) > len(shape) and own[0] == 1:
        own = own[1:]
    if len(own) > len(shape) or any(a != b and a != 1 for a, b in zip(
            reversed(own), reversed(shape))):
        def text(s):
            return "(" + ",".join(map(str, s)) + ("," if len(s) == 1 else "") + ")"
        raise ValueError(f"could not broadcast input array from shape {text(value.shape)} "
                         f"into shape {text(tuple(shape))}")
    array._write(positions, broadcast_list(value.values(), own, shape))


class IndexExpression:
    """``s_`` and ``index_exp`` of `numpy` and `jax.numpy`: give an index back."""

    def __init__(self, as_tuple: bool):
        self.as_tuple = as_tuple

    def __getitem__(self, index: Any) -> Any:
        return (index,) if self.as_tuple and not isinstance(index, tuple) else index
