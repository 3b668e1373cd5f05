"""Batching gathers, scatters and windows at traced places.

A window at a mapped place becomes a gather, a written one a scatter.

JAX source: ``jax/_src/lax/slicing.py: _gather_batching_rule, _scatter_batching_rule,
_dynamic_slice_batching_rule, _dynamic_update_slice_batching_rule,
_batch_dynamic_slice_indices``.
"""

from __future__ import annotations

import functools
from typing import Any

from simulator.batching import axes, vmapping
from simulator.batching.rules import always, behind, rule, size_of, unmapped
from simulator.facade.jax.lax import base, reducing, shapes, slicing
from simulator.ndarrays.ndarray import NDArray
from simulator.primitives.core import Primitive
from simulator.primitives.gather import GatherDimensionNumbers, GatherScatterMode, gather_p
from simulator.primitives.scatter import ScatterDimensionNumbers
from simulator.types import dtypes


@rule("gather")
def _gather(primitive: Primitive, axis: Any, vals: list, dims: list, *,
            dimension_numbers: GatherDimensionNumbers, slice_sizes: tuple, unique_indices: bool,
            indices_are_sorted: bool, mode: Any, fill_value: Any) -> tuple:
    (operand, indices), (dim, indices_dim), n = vals, dims, dimension_numbers
    if dim is not None:
        operand = axes.moveaxis(operand, dim, 0)
        n = n._replace(collapsed_slice_dims=behind(n.collapsed_slice_dims),
                       operand_batching_dims=behind(n.operand_batching_dims),
                       start_index_map=behind(n.start_index_map))
    if indices_dim is not None:
        indices = axes.moveaxis(indices, indices_dim, 0)
        n = n._replace(start_indices_batching_dims=behind(n.start_indices_batching_dims))
    n = n._replace(offset_dims=tuple(1 + d for d in n.offset_dims) if dim is None
                   else behind(n.offset_dims))
    if indices_dim is None:
        # Every element reads at the same places: the mapped axis is read whole.
        n = n._replace(offset_dims=(0, *n.offset_dims))
        slice_sizes = (operand.shape[0], *slice_sizes)
    elif dim is None:
        # Several elements may read the same place of the one array.
        unique_indices = indices_are_sorted = False
    else:
        n = n._replace(operand_batching_dims=(0, *n.operand_batching_dims),
                       start_indices_batching_dims=(0, *n.start_indices_batching_dims))
        slice_sizes = (min(operand.shape[0], 1), *slice_sizes)
    return slicing.gather(operand, indices, dimension_numbers=n, slice_sizes=slice_sizes,
                          unique_indices=unique_indices, indices_are_sorted=indices_are_sorted,
                          mode=mode, fill_value=fill_value), 0


@always("scatter", "scatter-add", "scatter-sub", "scatter-mul", "scatter-min", "scatter-max")
def _scatter(primitive: Primitive, axis: Any, vals: list, dims: list, *,
             dimension_numbers: ScatterDimensionNumbers, update_jaxpr: Any, update_consts: tuple,
             **options: Any) -> tuple:
    n, update = dimension_numbers, {"update_jaxpr": update_jaxpr, "update_consts": update_consts}
    if all(d is None for d in dims):
        return unmapped(primitive, vals, {**update, "dimension_numbers": n, **options})
    size = size_of(vals, dims)
    (operand, indices, updates), indices_dim = vals, dims[1]
    operand = axes.at_front(operand, dims[0], size, axis.part)
    updates = axes.at_front(updates, dims[2], size, axis.part)
    n = n._replace(update_window_dims=behind(n.update_window_dims),
                   inserted_window_dims=behind(n.inserted_window_dims),
                   operand_batching_dims=behind(n.operand_batching_dims),
                   scatter_dims_to_operand_dims=behind(n.scatter_dims_to_operand_dims))
    if indices_dim is None:
        n = n._replace(update_window_dims=(0, *n.update_window_dims))
    else:
        indices = axes.at_front(indices, indices_dim, size, axis.part)
        n = n._replace(
            operand_batching_dims=(0, *n.operand_batching_dims),
            scatter_indices_batching_dims=(0, *behind(n.scatter_indices_batching_dims)))
    return primitive.bind(operand, indices, updates, dimension_numbers=n, **options, **update), 0


@rule("dynamic_slice")
def _dynamic_slice(primitive: Primitive, axis: Any, vals: list, dims: list, *,
                   slice_sizes: tuple) -> tuple:
    (operand, *starts), (dim, *start_dims) = vals, dims
    every = tuple(range(operand.ndim - (dim is not None)))
    index, index_dim = _one_index(starts, start_dims)
    numbers = GatherDimensionNumbers(offset_dims=every, collapsed_slice_dims=(),
                                     start_index_map=every)
    return gather_p.batch(axis, [operand, index], [dim, index_dim], dimension_numbers=numbers,
                          slice_sizes=slice_sizes, unique_indices=True, indices_are_sorted=True,
                          mode=GatherScatterMode.CLIP, fill_value=None)


def _one_index(starts: list, dims: list) -> tuple:
    """The starts of a window as one array: (array, its mapped axis)."""
    if not starts:
        return NDArray((0,), dtypes.int32, []), None
    if all(d is None for d in dims):
        return reducing.concatenate([shapes.broadcast(i, (1,)) for i in starts], 0), None
    size = size_of(starts, dims)
    return reducing.concatenate([
        shapes.broadcast_in_dim(i, (size, 1), () if d is None else (0,))
        for i, d in zip(starts, dims)], 1), 0


@rule("dynamic_update_slice")
def _dynamic_update_slice(primitive: Primitive, axis: Any, vals: list, dims: list) -> tuple:
    (operand, update, *starts), (dim, update_dim, *start_dims) = vals, dims
    every = tuple(range(base.ndim(update) - (update_dim is not None)))
    numbers = ScatterDimensionNumbers(update_window_dims=every, inserted_window_dims=(),
                                      scatter_dims_to_operand_dims=every)
    index, index_dim = _one_index(starts, start_dims)
    written = functools.partial(slicing.scatter, dimension_numbers=numbers,
                                indices_are_sorted=True, unique_indices=True,
                                mode=GatherScatterMode.CLIP)
    return vmapping.vmap(written, in_axes=(dim, index_dim, update_dim))(
        operand, index, update), 0
