"""Batching operations that change shapes, join, cut and order.

JAX source: ``jax/_src/lax/lax.py: _broadcast_in_dim_batch_rule, _reshape_batch_rule,
_squeeze_batch_rule, _transpose_batch_rule, _rev_batch_rule, _tile_batch_rule,
_concatenate_batch_rule, _stack_batch_rule, _unstack_batch_rule, _split_batch_rule,
_pad_batch_rule, _sort_batch_rule, _top_k_batch_rule``; ``jax/_src/lax/slicing.py:
_slice_batching_rule``; ``jax/_src/lax/control_flow/loops.py: _cumred_batch_rule``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.batching import axes
from simulator.batching.elementwise import with_axis
from simulator.batching.rules import at, behind, rule, size_of
from simulator.device_arrays.values import abstractify
from simulator.facade.jax.lax import base, reducing, shapes, slicing
from simulator.facade.jax.lax import elementwise as el
from simulator.primitives.core import Primitive
from simulator.primitives.shapes import squeezed_shape
from simulator.types import dtypes


@rule("broadcast_in_dim")
def _broadcast(primitive: Primitive, axis: Any, vals: list, dims: list, *, shape: tuple,
               broadcast_dimensions: tuple, sharding: Any) -> tuple:
    x = axes.moveaxis(vals[0], dims[0], 0)
    return shapes.broadcast_in_dim(x, (vals[0].shape[dims[0]], *shape),
                                   (0, *behind(broadcast_dimensions)),
                                   out_sharding=with_axis(axis, sharding, 0)), 0


@rule("reshape")
def _reshape(primitive: Primitive, axis: Any, vals: list, dims: list, *, new_sizes: tuple,
             dimensions: Any, sharding: Any) -> tuple:
    x = axes.moveaxis(vals[0], dims[0], 0)
    dimensions = None if dimensions is None else (0, *behind(dimensions))
    return shapes.reshape(x, (*x.shape[:1], *new_sizes), dimensions,
                          out_sharding=with_axis(axis, sharding, 0)), 0


@rule("squeeze")
def _squeeze(primitive: Primitive, axis: Any, vals: list, dims: list, *,
             dimensions: tuple) -> tuple:
    x, dimensions = axes.moveaxis(vals[0], dims[0], 0), behind(dimensions)
    squeezed_shape(x, dimensions=dimensions)  # ValueError before anything is looked up
    return shapes.squeeze(x, dimensions), 0


@rule("transpose")
def _transpose(primitive: Primitive, axis: Any, vals: list, dims: list, *,
               permutation: tuple) -> tuple:
    return shapes.transpose(vals[0], (dims[0], *at(permutation, dims[0]))), 0


@rule("rev")
def _rev(primitive: Primitive, axis: Any, vals: list, dims: list, *, dimensions: tuple) -> tuple:
    return shapes.rev(vals[0], at(dimensions, dims[0])), dims[0]


@rule("tile")
def _tile(primitive: Primitive, axis: Any, vals: list, dims: list, *, reps: tuple) -> tuple:
    reps = (*reps[:dims[0]], 1, *reps[dims[0]:])
    return shapes.tile(vals[0], reps), dims[0]


@rule("concatenate")
def _concatenate(primitive: Primitive, axis: Any, vals: list, dims: list, *,
                 dimension: int) -> tuple:
    mapped, dim = next((x, d) for x, d in zip(vals, dims) if d is not None)
    part = (abstractify(mapped).spec or (None,) * mapped.ndim)[dim]

    def sharding(x: Any) -> Any:
        # Cut along the new axis as the mapped operand is.
        aval = abstractify(x)
        if aval.mesh is None:
            return None
        spec = (part, *(aval.spec or (None,) * aval.ndim))
        return base.sharding_of(aval.update(shape=(1, *aval.shape), spec=spec))
    return reducing.concatenate(_all_in_front(vals, dims, sharding), dimension + 1), 0


def _all_in_front(vals: list, dims: list, sharding: Callable) -> list:
    # A broadcast of JAX's own, not the one that sets a mesh.
    size = size_of(vals, dims)
    return [shapes.broadcast(x, (size,), out_sharding=sharding(x))
            if d is None else axes.moveaxis(x, d, 0) for x, d in zip(vals, dims)]


@rule("stack")
def _stack(primitive: Primitive, axis_data: Any, vals: list, dims: list, *, axis: int) -> tuple:
    dim = dims[0]
    if all(d == dim for d in dims):
        where = (axis, dim + 1) if axis <= dim else (axis + 1, dim)
        return primitive.bind(*vals, axis=where[0]), where[1]
    return primitive.bind(*_all_in_front(vals, dims, lambda x: None), axis=axis + 1), 0


@rule("unstack")
def _unstack(primitive: Primitive, axis_data: Any, vals: list, dims: list, *, axis: int) -> tuple:
    dim = dims[0]
    where = (axis, dim - 1) if axis < dim else (axis + 1, dim)
    outs = primitive.bind(vals[0], axis=where[0])
    return outs, [where[1]] * len(outs)


@rule("split")
def _split(primitive: Primitive, axis_data: Any, vals: list, dims: list, *, sizes: tuple,
           axis: int) -> tuple:
    outs = reducing.split(vals[0], sizes, axis + (axis >= dims[0]))
    return outs, [dims[0]] * len(outs)


@rule("pad")
def _pad(primitive: Primitive, axis: Any, vals: list, dims: list, *,
         padding_config: tuple) -> tuple:
    (operand, fill), (dim, fill_dim) = vals, dims
    if dim is None:
        operand, dim = shapes.broadcast(operand, (fill.shape[fill_dim],)), 0
    config = [*padding_config[:dim], (0, 0, 0), *padding_config[dim:]]
    if fill_dim is None:
        return reducing.pad(operand, fill, config), dim
    x = reducing.pad(operand, shapes.zero(operand), config)
    mask = reducing.pad(shapes.full_like(operand, True, dtypes.bool_), False, config)
    return el.select(mask, x, shapes.broadcast_in_dim(fill, x.shape, (dim,))), dim


@rule("sort")
def _sort(primitive: Primitive, axis: Any, vals: list, dims: list, *, dimension: int,
          **params: Any) -> tuple:
    first, dim = next((x, d) for x, d in zip(vals, dims) if d is not None)
    places = [i for i in range(first.ndim) if i != dim]
    sharding = base.sharding_of(abstractify(first))
    vals = [shapes.broadcast_in_dim(x, first.shape, places, out_sharding=sharding) if d is None
            else axes.moveaxis(x, d, dim) for x, d in zip(vals, dims)]
    outs = primitive.bind(*vals, dimension=dimension + (dim <= dimension), **params)
    return outs, [dim] * len(outs)


@rule("top_k")
def _top_k(primitive: Primitive, axis_data: Any, vals: list, dims: list, *, k: int, axis: int,
           is_stable: bool) -> tuple:
    outs = reducing.top_k(vals[0], k, axis=axis + (dims[0] <= axis), is_stable=is_stable)
    return outs, [dims[0]] * 2


@rule("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp")
def _running(primitive: Primitive, axis_data: Any, vals: list, dims: list, *, axis: int,
             reverse: bool) -> tuple:
    return primitive.bind(vals[0], axis=axis + (axis >= dims[0]), reverse=reverse), dims[0]


@rule("slice")
def _slice(primitive: Primitive, axis: Any, vals: list, dims: list, *, start_indices: tuple,
           limit_indices: tuple, strides: tuple | None) -> tuple:
    def inserted(values: tuple, new: int) -> list:
        return [*values[:dims[0]], new, *values[dims[0]:]]

    return slicing.slice(vals[0], inserted(start_indices, 0),
                         inserted(limit_indices, vals[0].shape[dims[0]]),
                         None if strides is None else inserted(strides, 1)), dims[0]
