"""Picking along one axis: ``take`` and ``take_along_axis``.

JAX source: ``jax/_src/numpy/indexing.py: take, _take, take_along_axis``.
"""

from __future__ import annotations

import operator

from simulator.api import jit
from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base, shapes, slicing
from simulator.facade.jax.lax import convert as conv
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.numpy import util
from simulator.facade.jax.numpy.util import ensure_arrays
from simulator.primitives.gather import GatherDimensionNumbers, GatherScatterMode


def take(a, indices, axis=None, out=None, mode=None, unique_indices=False,
         indices_are_sorted=False, fill_value=None):
    """``jax.numpy.take``."""
    return _take(a, indices, None if axis is None else operator.index(axis), out, mode,
                 unique_indices=unique_indices, indices_are_sorted=indices_are_sorted,
                 fill_value=fill_value)


@jit(static_argnames=("axis", "mode", "unique_indices", "indices_are_sorted", "fill_value"))
def _take(a, indices, axis=None, out=None, mode=None, unique_indices=False,
          indices_are_sorted=False, fill_value=None):
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.take is not supported.")
    a, indices = ensure_arrays("take", a, indices)
    if axis is None:
        a, axis = a.ravel(), 0
    else:
        axis = base.canonical_axis(axis, a.ndim)
    if mode is None or mode == "fill":
        parsed = GatherScatterMode.FILL_OR_DROP
        indices = util._where(indices < 0, indices + a.shape[axis], indices)
    elif mode == "raise":
        raise NotImplementedError("The 'raise' mode to jnp.take is not supported.")
    elif mode == "wrap":
        from simulator.facade.jax.numpy.arithmetic import mod
        indices = mod(indices, base.const(indices, a.shape[axis]))
        parsed = GatherScatterMode.PROMISE_IN_BOUNDS
    elif mode == "clip":
        parsed = GatherScatterMode.CLIP
    else:
        raise ValueError(f"Invalid mode '{mode}' for np.take")
    rank, sizes = indices.ndim, list(a.shape)
    if sizes[axis] == 0:
        if indices.size != 0:
            raise IndexError("Cannot do a non-empty jnp.take() from an empty axis.")
        return a
    if indices.size == 0:
        return shapes.full_like(a, 0, shape=sizes[:axis] + list(indices.shape) + sizes[axis + 1:])
    sizes[axis] = 1
    dnums = GatherDimensionNumbers(
        tuple(range(axis)) + tuple(range(axis + rank, a.ndim + rank - 1)), (axis,), (axis,))
    return slicing.gather(a, indices[..., None], dimension_numbers=dnums,
                          slice_sizes=tuple(sizes), mode=parsed, unique_indices=unique_indices,
                          indices_are_sorted=indices_are_sorted, fill_value=fill_value)


@jit(static_argnames=("axis", "mode", "fill_value", "wrap_negative_indices"))
def take_along_axis(arr, indices, axis=-1, mode=None, fill_value=None, *,
                    wrap_negative_indices=True):
    """``jax.numpy.take_along_axis``."""
    a, indices = ensure_arrays("take_along_axis", arr, indices)
    if indices.dtype.family not in "iu":
        raise TypeError("take_along_axis indices must be of integer type, got "
                        f"{indices.dtype}")
    own = indices.shape
    if axis is None:
        if indices.ndim != 1:
            raise ValueError(f"take_along_axis indices must be 1D if axis=None, got shape {own}")
        a, axis = a.ravel(), 0
    rank = a.ndim
    if rank != indices.ndim:
        raise ValueError("indices and arr must have the same number of dimensions; "
                         f"{indices.ndim} vs. {a.ndim}")
    axis = base.canonical_axis(axis, rank)
    size = a.shape[axis]
    arr_shape = (*a.shape[:axis], 1, *a.shape[axis + 1:])
    out_shape = shapes.broadcast_shapes(own, arr_shape)
    if size == 0:
        return shapes.full(out_shape, 0, a.dtype)
    if wrap_negative_indices:
        indices = conv.convert_element_type(indices, base.index_dtype((size,)))
        indices = el.select(indices < 0, el.add(indices, base.const(indices, size)), indices)
    if mode == "one_hot":
        raise OutOfScope("jax.numpy.take_along_axis(mode='one_hot')", "leave the mode out")
    kept = [i for i, n in enumerate(own) if i == axis or n != 1]
    indices = shapes.reshape(indices, tuple(out_shape[i] for i in kept) + (1,))
    sizes, offsets, start_map, collapsed = [], [], [], []
    batch, index_batch, squeezed = [], [], []
    new = j = 0
    for i in range(rank):
        if i == axis:
            sizes.append(1)
            start_map.append(new)
            collapsed.append(new)
            new += 1
            j += 1
        elif own[i] == 1:
            offsets.append(i)
            sizes.append(arr_shape[i])
            new += 1
        elif arr_shape[i] == 1:
            squeezed.append(i)
            j += 1
        else:
            sizes.append(0 if arr_shape[i] == 0 else 1)
            batch.append(new)
            index_batch.append(j)
            new += 1
            j += 1
    a = shapes.squeeze(a, squeezed)
    dnums = GatherDimensionNumbers(tuple(offsets), tuple(collapsed), tuple(start_map),
                                   tuple(batch), tuple(index_batch))
    return slicing.gather(a, indices, dnums, tuple(sizes), mode="fill" if mode is None else mode,
                          fill_value=fill_value)
