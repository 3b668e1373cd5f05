"""``x[…]``: a static slice, a dynamic slice or a gather, whichever fits first.

JAX source: ``jax/_src/numpy/indexing.py: rewriting_take, _static_slice,
_dynamic_slice, _gather, _index_to_gather, take, take_along_axis``.
"""

from __future__ import annotations

import operator
from typing import Any

from simulator import process
from simulator.api import jit
from simulator.device_arrays.arrays import Array
from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base, reducing, shapes, slicing
from simulator.facade.jax.lax import convert as conv
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.lax.placing import canonical_out_sharding
from simulator.facade.jax.numpy import util
from simulator.facade.jax.numpy.constructors import array, asarray
from simulator.facade.jax.numpy.index_items import Index, Kind
from simulator.facade.jax.numpy.util import ensure_arrays
from simulator.named_tuples import NamedTuple
from simulator.ndarrays.ndarray import NDArray
from simulator.ndarrays.ndarray import asarray as numpy_array
from simulator.placement.partition_spec import PartitionSpec
from simulator.placement.sharding_types import NamedSharding
from simulator.primitives.gather import GatherDimensionNumbers, GatherScatterMode


def take_index(arr: Any, index: Any, *, indices_are_sorted: bool = False,
               unique_indices: bool = False, mode: Any = None, fill_value: Any = None,
               wrap: bool = True) -> Any:
    """``arr[index]`` and ``arr.at[index].get(…)``."""
    found = Index.parse(index, arr.shape)
    if process.current().config.value("jax_check_static_indices") and (
            mode is None or GatherScatterMode.from_any(mode)
            is GatherScatterMode.PROMISE_IN_BOUNDS):
        found.check_integers(wrap)
    sharded = isinstance(arr, Array) and arr.sharding.num_devices != 1
    for strategy in (_static_slice, _dynamic_slice):
        try:
            plan = strategy(found, sharded, wrap, mode)
        except (TypeError, ValueError, IndexError):
            continue
        return plan(arr)
    return _gather(arr, found.expand_masks(), indices_are_sorted, unique_indices, mode,
                   fill_value, wrap)


class _Plan(NamedTuple):
    """A slice, then reversals, then dropped and new axes."""

    slice: Any
    reversed: list
    dropped: list
    new: list

    def __call__(self, x: Any) -> Any:
        x = self.slice(x)
        if self.reversed:
            x = shapes.rev(x, self.reversed)
        if self.dropped:
            x = shapes.squeeze(x, self.dropped)
        return shapes.expand_dims(x, self.new) if self.new else x


_SLICE_MODES = (GatherScatterMode.PROMISE_IN_BOUNDS, GatherScatterMode.CLIP)


def _static_slice(found: Index, sharded: bool, wrap: bool, mode: Any) -> _Plan:
    parsed = _SLICE_MODES[0] if mode is None else GatherScatterMode.from_any(mode)
    if parsed not in _SLICE_MODES:
        raise ValueError("static_slice requires mode='promise_in_bounds' or mode='clip'")
    if parsed is GatherScatterMode.PROMISE_IN_BOUNDS:
        found.check_integers(wrap)
    found.check_slices()
    if sharded and found.has_partial_slices():
        raise ValueError("static_slice with partial slices does not support nontrivial array "
                         "sharding.")
    if any(item.kind in (Kind.ARRAY, Kind.BOOLEAN) for item in found.items):
        raise TypeError("static_slice: indices must be static scalars or slices.")
    starts, limits, strides, rev, drop, new = [], [], [], [], [], []
    for item in found.expand_ellipsis().items:
        if item.kind is Kind.NONE:
            new.append(len(starts) - len(drop) + len(new))
            continue
        axis = item.axes[0]
        size = found.shape[axis]
        if item.kind is Kind.INTEGER:
            if size == 0:
                raise IndexError(f"index is out of bounds for axis {axis} with size 0")
            i = int(item.index)
            i = min(max(i + size if wrap and i < 0 else i, 0), size - 1)
            starts.append(i)
            limits.append(i + 1)
            strides.append(1)
            drop.append(axis)
            continue
        start, stop, stride = item.index.indices(size)
        if stride < 0:
            first = min(size, stop + 1 + abs(start - stop - 1) % -stride)
            starts.append(first)
            limits.append(max(first, start + 1))
            strides.append(-stride)
            rev.append(axis)
        else:
            starts.append(start)
            limits.append(max(start, stop))
            strides.append(stride)
    hops = None if all(s == 1 for s in strides) else strides
    whole = hops is None and all((a, b) == (0, n) for a, b, n in zip(starts, limits, found.shape))
    return _Plan((lambda x: x) if whole else (lambda x: slicing.slice(x, starts, limits, hops)),
                 rev, drop, new)


def _dynamic_slice(found: Index, sharded: bool, wrap: bool, mode: Any) -> _Plan:
    if mode is not None and GatherScatterMode.from_any(mode) not in _SLICE_MODES:
        raise ValueError("dynamic_slice requires mode='promise_in_bounds' or mode='clip'")
    if sharded and found.has_partial_slices():
        raise ValueError("dynamic_slice with partial slices does not support nontrivial array "
                         "sharding.")
    for item in found.items:
        if item.kind is Kind.SLICE and item.index.step not in (None, -1, 1):
            raise TypeError("dynamic_slice: only unit steps supported in slice.")
        if item.kind is Kind.BOOLEAN or (item.kind is Kind.ARRAY and (
                isinstance(item.index, (list, tuple)) or base.shape(item.index) != ())):
            raise TypeError("dynamic_slice: only scalar indices allowed.")
    starts: list = []
    sizes, rev, drop, new = [], [], [], []
    trivial = True
    for item in found.expand_ellipsis().items:
        if item.kind is Kind.NONE:
            new.append(len(starts) - len(drop) + len(new))
            continue
        axis = item.axes[0]
        size = found.shape[axis]
        if item.kind in (Kind.INTEGER, Kind.ARRAY):
            trivial = False
            place = asarray(item.index)
            if size == 0:
                raise IndexError(f"index is out of bounds for axis {axis} with size 0")
            starts.append(place)
            sizes.append(1)
            drop.append(axis)
            continue
        trivial = trivial and item.index == slice(None)
        start, stop, stride = item.index.indices(size)
        if stride < 0:
            starts.append(stop + 1)
            sizes.append(max(0, start - stop))
            rev.append(axis)
        else:
            starts.append(start)
            sizes.append(max(0, stop - start))
    if len(starts) > 1:
        to = base.index_dtype(found.shape)
        starts = [conv.convert_element_type(i, to) for i in starts]
    return _Plan((lambda x: x) if trivial else (lambda x: slicing.dynamic_slice(
        x, start_indices=starts, slice_sizes=sizes, allow_negative_indices=wrap)), rev, drop, new)


class GatherPlan(NamedTuple):
    """An index as a gather (or scatter): JAX's ``_GatherIndexer``."""

    slice_shape: tuple
    gather_slice_shape: tuple
    indices: Any
    dnums: GatherDimensionNumbers
    unique: bool
    sorted: bool
    reversed: list
    new: tuple
    scalar_masks: list
    slice_sharding: Any


def _gather(arr: Any, found: Index, is_sorted: bool, unique: bool, mode: Any, fill_value: Any,
            wrap: bool) -> Any:
    plan = gather_plan(found, base.typeof(arr), wrap)
    y = arr
    if fill_value is not None:
        base.concrete(None, fill_value, "fill_value argument to indexed get()")
        if base.ndim(fill_value) != 0:
            raise ValueError("fill_value argument to indexed get() must be a scalar")
        if isinstance(fill_value, NDArray):
            fill_value = fill_value.item()
    if plan.scalar_masks:
        y = shapes.expand_dims(y, plan.scalar_masks)
    if 0 in plan.slice_shape:
        return shapes.full_like(y, 0, shape=plan.slice_shape,
                                sharding=plan.slice_sharding or shapes.NO_MESH)
    if 0 not in plan.indices.shape:
        y = slicing.gather(y, plan.indices, plan.dnums, plan.gather_slice_shape,
                           unique_indices=unique or plan.unique,
                           indices_are_sorted=is_sorted or plan.sorted, mode=mode,
                           fill_value=fill_value)
    if plan.reversed:
        y = shapes.rev(y, plan.reversed)
    return shapes.expand_dims(y, plan.new)


def gather_plan(found: Index, aval: Any, wrap: bool = True) -> GatherPlan:
    """The gather that an index into an array of type `aval` amounts to.

    Errors: IndexError for traced slice bounds.
    """
    found.check_slices()
    found = found.lists_to_arrays()
    picks = [i for i, item in enumerate(found.items) if item.kind in (Kind.ARRAY, Kind.INTEGER)]
    contiguous = all(b - a == 1 for a, b in zip(picks, picks[1:]))
    found = found.expand_ellipsis()
    scalar_masks = [n for n, item in enumerate(found.items) if item.kind is Kind.BOOLEAN]
    found = found.expand_scalar_masks()
    spec = list(aval.spec or (None,) * aval.ndim)
    for n in scalar_masks:
        spec.insert(n, None)
    if wrap:
        found = found.wrap_negative()
    advanced: list = []      # (array, position in the index, axis of the operand)
    if found.picks_with_arrays():
        present = [(i, item) for i, item in enumerate(found.items) if item.kind is not Kind.NONE]
        advanced = [(asarray(item.index), i, j) for j, (i, item) in enumerate(present)
                    if item.kind in (Kind.ARRAY, Kind.INTEGER)]
    positions = [i for _, i, _ in advanced]
    state = _Builder(found.shape, aval.mesh, spec)
    for position, item in enumerate(found.items):
        if advanced and (position == positions[0] if contiguous else position == 0):
            state.add_advanced([a for a, _, _ in advanced], [x for _, _, x in advanced])
        if position in positions:
            state.axis += 1
            state.sizes.append(1)
        elif item.kind in (Kind.INTEGER, Kind.ARRAY) and base.ndim(item.index) == 0:
            state.add_scalar(item.index)
        elif item.kind is Kind.NONE:
            state.slice_shape.append(1)
            state.slice_spec.append(None)
            state.new.append(state.y_axis)
            state.y_axis += 1
        elif item.kind is Kind.SLICE:
            state.add_slice(item.index)
        else:
            raise IndexError(f"Got unsupported indexer at position {position}: {item.index!r}")
    return state.finish(scalar_masks, not advanced)


class _Builder:
    """Collects the pieces of a gather while walking over an index."""

    def __init__(self, shape: tuple, mesh: Any, spec: list):
        self.shape, self.mesh, self.spec = shape, mesh, spec
        self.dtype = base.index_dtype(shape)
        self.axis = self.y_axis = self.collapsed_axis = 0
        self.offset_dims: list[int] = []
        self.collapsed: list[int] = []
        self.start_map: list[int] = []
        self.parts: list = []         # (indices, first dimension they take)
        self.parts_shape: list[int] = []
        self.slice_shape: list[int] = []
        self.slice_spec: list = []
        self.sizes: list[int] = []
        self.new: list[int] = []
        self.reversed: list[int] = []

    def add_advanced(self, arrays: list, axes: list) -> None:
        arrays = util._broadcast_arrays(*arrays)
        shape = arrays[0].shape
        at = len(self.parts_shape)
        self.parts += [(conv.convert_element_type(a, self.dtype), at) for a in arrays]
        self.parts_shape += shape
        self.start_map += axes
        self.collapsed += axes
        self.slice_shape += shape
        self.slice_spec += base.typeof(arrays[0]).spec or (None,) * len(shape)
        self.y_axis += len(shape)
        self.collapsed_axis += len(shape)

    def add_scalar(self, index: Any) -> None:
        if self.shape[self.axis] == 0:
            raise IndexError(f"index is out of bounds for axis {self.axis} with size 0")
        self.parts.append((conv.convert_element_type(index, self.dtype), len(self.parts_shape)))
        self.collapsed.append(self.axis)
        self.sizes.append(1)
        self.start_map.append(self.axis)
        self.axis += 1

    def add_slice(self, index: slice) -> None:
        size = self.shape[self.axis]
        start, stop, step = index.indices(size)
        length = len(range(start, stop, step))
        self.slice_shape.append(length)
        self.slice_spec.append(self.spec[self.axis])
        if step == 1:
            if length != size:
                self.parts.append((conv.convert_element_type(start, self.dtype),
                                   len(self.parts_shape)))
                self.start_map.append(self.axis)
            self.sizes.append(length)
            self.offset_dims.append(self.collapsed_axis)
        else:
            places = (array(start, dtype=self.dtype)
                      + array(step, dtype=self.dtype) * shapes.iota(self.dtype, length))
            if step < 0:
                self.reversed.append(self.collapsed_axis)
                places = shapes.rev(places, dimensions=(0,))
            self.sizes.append(1)
            self.parts.append((places, len(self.parts_shape)))
            self.start_map.append(self.axis)
            self.parts_shape.append(length)
            self.collapsed.append(self.axis)
        self.collapsed_axis += 1
        self.y_axis += 1
        self.axis += 1

    def finish(self, scalar_masks: list, ordered: bool) -> GatherPlan:
        if not self.parts:
            indices: Any = numpy_array([], self.dtype)
        elif len(self.parts) == 1:
            only = self.parts[0][0]
            indices = shapes.expand_dims(only, (only.ndim,))
        else:
            last = len(self.parts_shape)
            shape = [*self.parts_shape, 1]
            indices = reducing.concatenate(
                [shapes.broadcast_in_dim(g, shape, tuple(range(i, i + g.ndim)))
                 for g, i in self.parts], last)
        dnums = GatherDimensionNumbers(tuple(self.offset_dims), tuple(sorted(self.collapsed)),
                                       tuple(self.start_map))
        return GatherPlan(tuple(self.slice_shape), tuple(self.sizes), indices, dnums, ordered,
                          ordered, self.reversed, tuple(self.new), scalar_masks,
                          self._sharding())

    def _sharding(self) -> Any:
        # Of a slice before it is put in; None without a mesh.
        if self.mesh is None:
            return None
        return canonical_out_sharding(NamedSharding(self.mesh, PartitionSpec(*self.slice_spec)),
                                      "index_to_gather")


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
