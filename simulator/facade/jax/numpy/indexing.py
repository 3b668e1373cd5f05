"""``x[…]``: a static slice, a dynamic slice or a gather, whichever fits first.

JAX source: ``jax/_src/numpy/indexing.py: rewriting_take, _static_slice,
_dynamic_slice, _gather``.
"""

from __future__ import annotations

from typing import Any

from simulator import process
from simulator.device_arrays.arrays import Array
from simulator.facade.jax.lax import base, shapes, slicing
from simulator.facade.jax.lax import convert as conv
from simulator.facade.jax.numpy.constructors import asarray
from simulator.facade.jax.numpy.gather_plans import gather_plan
from simulator.facade.jax.numpy.index_items import Index, Kind
from simulator.named_tuples import NamedTuple
from simulator.ndarrays.ndarray import NDArray
from simulator.primitives.gather import GatherScatterMode


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
    if any(item.kind in (Kind.ARRAY, Kind.BOOLEAN, Kind.DYNAMIC) for item in found.items):
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
        if item.kind is Kind.DYNAMIC and item.index.stride != 1:
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
        if item.kind is Kind.DYNAMIC:
            trivial = False
            starts.append(item.index.start)
            sizes.append(item.index.size)
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
