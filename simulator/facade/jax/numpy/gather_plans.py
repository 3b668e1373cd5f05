"""An index as a gather or scatter: which axes are picked, which are cut, and how the result lies.

JAX source: ``jax/_src/numpy/indexing.py: _index_to_gather, _GatherIndexer``.
"""

from __future__ import annotations

from typing import Any

from simulator.facade.jax.lax import base, reducing, shapes
from simulator.facade.jax.lax import convert as conv
from simulator.facade.jax.lax.placing import canonical_out_sharding
from simulator.facade.jax.numpy import util
from simulator.facade.jax.numpy.constructors import array, asarray
from simulator.facade.jax.numpy.index_items import Index, Kind
from simulator.named_tuples import NamedTuple
from simulator.ndarrays.ndarray import asarray as numpy_array
from simulator.placement.partition_spec import PartitionSpec
from simulator.placement.sharding_types import NamedSharding
from simulator.primitives.gather import GatherDimensionNumbers


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
            n = state.shape[state.axis]
            start, stop, step = item.index.indices(n)
            state.add_slice(start, len(range(start, stop, step)), step)
        elif item.kind is Kind.DYNAMIC:
            state.add_slice(*item.index)
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

    def add_slice(self, start: Any, length: int, step: int) -> None:
        size = self.shape[self.axis]
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
