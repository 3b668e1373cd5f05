"""Batching collectives: over the mapped axis they become ordinary operations.

JAX source: ``jax/_src/lax/parallel.py: _batched_reduction_collective,
_constant_reduction, _ppermute_batcher, _pbroadcast_batcher,
_all_gather_batched_collective, _all_to_all_batched_collective,
_reduce_scatter_collective, _axis_index_batcher``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator import dispatch
from simulator.batching.rules import always, unmapped
from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base, reducing, shapes
from simulator.ndarrays.ndarray_make import asarray
from simulator.primitives import collectives as prims
from simulator.primitives.collectives import as_names
from simulator.primitives.core import Primitive
from simulator.types import dtypes


def _reduction(primitive: Primitive, repeated: Callable) -> None:
    """The rule of psum, pmax, pmin; `repeated`: the result for `size` equal elements."""
    def bind(x: Any, axes: tuple, groups: Any = None) -> Any:
        if primitive is prims.psum_invariant_p:  # knows no groups
            return primitive.bind(x, axes=axes)
        return primitive.bind(x, axes=axes, axis_index_groups=groups)

    def batched(axis: Any, vals: list, dims: list, *, axes: tuple,
                axis_index_groups: Any = None) -> tuple:
        (x,), (dim,) = vals, dims
        if axis.name is None or axis.name not in axes:
            if dim is None or not any(isinstance(a, int) for a in axes):
                return bind(x, axes, axis_index_groups), dim
            x = x if dim == 0 else _moveaxis(x, dim, 0)
            axes = tuple(a + 1 if isinstance(a, int) else a for a in axes)
            return bind(x, axes), 0
        if dim is None:
            if axis_index_groups:
                raise NotImplementedError
            others = tuple(a for a in axes if a != axis.name)
            if others:
                x = bind(x, others, axis_index_groups)
            return repeated(x, axis.size), None
        if axis_index_groups is not None:
            raise NotImplementedError("axis_index_groups not supported in vmap collectives. "
                                      "Please open a feature request!")
        x = x if dim == 0 else _moveaxis(x, dim, 0)
        axes = tuple(0 if a == axis.name else a + 1 if isinstance(a, int) else a for a in axes)
        return bind(x, axes), None

    primitive.batch = batched


def _moveaxis(x: Any, src: int, dst: int) -> Any:
    order = [i for i in range(x.ndim) if i != src]
    order.insert(dst, src)
    return shapes.transpose(x, order)


def _eager_reduction(primitive: Primitive, reduce: Callable) -> None:
    def eager(x: Any, *, axes: tuple, axis_index_groups: Any) -> Any:
        if all(isinstance(a, int) for a in axes):
            return reduce(x, axes)
        return dispatch.apply_primitive(primitive, (x,), {
            "axes": axes, "axis_index_groups": axis_index_groups})
    primitive.eager = eager


for _sum in (prims.psum_p, prims.psum_invariant_p):
    _reduction(_sum, lambda x, size: base.const(x, size) * x)
_reduction(prims.pmax_p, lambda x, size: x)
_reduction(prims.pmin_p, lambda x, size: x)
_eager_reduction(prims.psum_p, reducing.reduce_sum)
_eager_reduction(prims.pmax_p, reducing.reduce_max)
_eager_reduction(prims.pmin_p, reducing.reduce_min)


@always("pvary")
def _pvary(primitive: Primitive, axis: Any, vals: list, dims: list, *, axes: tuple) -> tuple:
    return primitive.bind(*vals, axes=axes), dims[0]


@always("ppermute")
def _ppermute(primitive: Primitive, axis: Any, vals: list, dims: list, *, axis_name: Any,
              perm: tuple) -> tuple:
    (x,), (dim,), names = vals, dims, as_names(axis_name)
    if axis.name is None or axis.name not in names:
        return primitive.bind(x, axis_name=names, perm=perm), dim
    others = tuple(n for n in names if n != axis.name)
    if others:
        return primitive.bind(x, axis_name=others, perm=perm), dim
    if len(perm) != axis.size:
        raise AssertionError("Permutation doesn't match the axis size!")
    if dim is None:
        return x, dim
    sources = [0] * axis.size
    for src, dst in perm:
        sources[dst] = src
    return x.take(asarray(sources, dtypes.int64), dim), dim


@always("pbroadcast")
def _pbroadcast(primitive: Primitive, axis: Any, vals: list, dims: list, *, axis_name: Any,
                source: int) -> tuple:
    (x,), (dim,), names = vals, dims, as_names(axis_name)
    if axis.name is None or axis.name not in names:
        return primitive.bind(x, axis_name=names, source=source), dim
    if len(names) > 1:
        raise NotImplementedError("pbroadcast batcher only supports a single axis")
    if not 0 <= source < axis.size:
        raise AssertionError("collective broadcast doesn't fit in the axis size!")
    return (x if dim is None else x.take([source] * axis.size, dim)), dim


@always("axis_index")
def _axis_index(primitive: Primitive, axis: Any, vals: list, dims: list, *,
                axis_name: Any) -> tuple:
    if axis.name is None or axis.name not in as_names(axis_name):
        return primitive.bind(axis_name=axis_name), None
    return shapes.iota(dtypes.int32, axis.size), 0


def _one_axis(axis: Any, names: tuple, axis_size: int, groups: Any) -> None:
    if groups is not None:
        raise NotImplementedError("axis_index_groups not supported in vmap")
    if axis_size != axis.size:
        raise AssertionError("axis size doesn't match")
    if len(names) > 1:
        raise NotImplementedError("Please open a feature request!")


def _beside(at: int, dim: int | None, tiled: bool) -> tuple[int, int | None]:
    """Where the collective's axis and the mapped one are, when they are not the same."""
    if dim is None:
        return at, dim
    if dim <= at:
        return at + 1, dim
    return at, dim if tiled else dim + 1


@always("all_gather", "all_gather_invariant")
def _all_gather(primitive: Primitive, axis: Any, vals: list, dims: list, *,
                all_gather_dimension: int, axis_name: Any, axis_size: int, tiled: bool,
                axis_index_groups: Any = None) -> tuple:
    (x,), (dim,), names, at = vals, dims, as_names(axis_name), all_gather_dimension
    if axis.name is None or axis.name not in names:
        at, dim = _beside(at, dim, tiled)
        groups = ({} if primitive is prims.all_gather_invariant_p
                  else {"axis_index_groups": axis_index_groups})
        return primitive.bind(x, all_gather_dimension=at, axis_name=names, **groups,
                              axis_size=axis_size, tiled=tiled), dim
    _one_axis(axis, names, axis_size, axis_index_groups)
    if dim is None:
        shape = list(base.shape(x))
        shape.insert(at, axis_size)
        x = shapes.broadcast_in_dim(x, shape, [i for i in range(len(shape)) if i != at])
    else:
        x = _moveaxis(x, dim, at)
    return (_fold(x, at) if tiled else x), None


def _fold(x: Any, axis: int) -> Any:
    """Two neighbouring axes as one."""
    shape = list(x.shape)
    shape[axis:axis + 2] = [shape[axis] * shape[axis + 1]]
    return x.reshape(shape)


def _split(x: Any, axis: int, factor: int) -> Any:
    """One axis as two."""
    shape = list(x.shape)
    shape[axis:axis + 1] = [factor, shape[axis] // factor]
    return x.reshape(shape)


@always("reduce_scatter")
def _reduce_scatter(primitive: Primitive, axis: Any, vals: list, dims: list, *, axis_name: Any,
                    scatter_dimension: int, axis_index_groups: Any, axis_size: int,
                    tiled: bool) -> tuple:
    (x,), (dim,), names, at = vals, dims, as_names(axis_name), scatter_dimension
    if axis.name is None or axis.name not in names:
        at, dim = _beside(at, dim, tiled)
        return primitive.bind(x, axis_name=names, scatter_dimension=at,
                              axis_index_groups=axis_index_groups, axis_size=axis_size,
                              tiled=tiled), dim
    _one_axis(axis, names, axis_size, axis_index_groups)
    if dim is None:
        x = x * axis_size
    elif base.dtype(x).family != "f":
        raise OutOfScope(f"jax.lax.psum_scatter of {base.dtype(x).name} under jax.vmap",
                         "use floating point numbers")
    else:
        x = reducing.reduce(x, 0., _add(), (dim,))
    return (_split(x, at, axis_size) if tiled else x), at


def _add() -> Callable:
    from simulator.facade.jax.lax import elementwise
    return elementwise.add


@always("all_to_all")
def _all_to_all(primitive: Primitive, axis: Any, vals: list, dims: list, *, axis_name: Any,
                split_axis: int, concat_axis: int, axis_index_groups: Any, tiled: bool) -> tuple:
    (x,), (dim,), names = vals, dims, as_names(axis_name)
    params = {"axis_index_groups": axis_index_groups, "tiled": tiled}
    if axis.name is None or axis.name not in names:
        if dim is None:
            return unmapped(primitive, vals, {
                "axis_name": axis_name, "split_axis": split_axis, "concat_axis": concat_axis,
                **params})
        return primitive.bind(x, axis_name=axis_name, split_axis=split_axis + (dim <= split_axis),
                              concat_axis=concat_axis + (dim <= concat_axis), **params), dim
    if len(names) > 1:
        raise OutOfScope("jax.lax.all_to_all over several named axes", "use one axis at a time")
    if axis_index_groups is not None:
        raise NotImplementedError("Please open a feature request!")
    if dim is None:
        x, dim = shapes.broadcast(x, (axis.size, *base.shape(x))), 0
    if split_axis != concat_axis:
        x = _fold(_moveaxis(x, dim, concat_axis), concat_axis)
        return _split(x, split_axis, axis.size), split_axis
    at = split_axis + (dim <= split_axis)
    out_dim = dim
    x = _split(x, at, axis.size)
    dim += at <= dim
    order = list(range(x.ndim))
    order[dim], order[at] = at, dim
    return _fold(x.transpose(order), at), out_dim
