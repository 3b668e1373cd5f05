"""Moving, adding and matching the mapped axis of a value.

These are ordinary operations on arrays: eagerly each one that changes something is
an operation of its own, with its own lookups.

JAX source: ``jax/_src/interpreters/batching.py: broadcast, bdim_at_front, matchaxis``;
``jax/_src/util.py: moveaxis``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from simulator.device_arrays.values import abstractify
from simulator.facade.jax.lax import base, shapes
from simulator.placement import mesh as meshes
from simulator.placement.mesh_types import empty_abstract_mesh
from simulator.placement.partition_spec import PartitionSpec
from simulator.placement.sharding_types import NamedSharding
from simulator.references.ref_types import AbstractRef, is_ref
from simulator.types import dtypes


def numpy_ints(positions: Iterable[int]) -> tuple:
    """Positions that JAX computes with NumPy: a jaxpr shows them as ``np.int64(1)``."""
    return tuple(map(dtypes.int64.type, positions))


class SpecMatchError(Exception):
    """A mapped result where ``out_axes`` asks for an unmapped one.

    Args:
      leaf: number of the result, None until known. src, dst: the axis it has, and
        the one asked for.
    """

    def __init__(self, leaf: int | None = None, src: Any = None, dst: Any = None):
        super().__init__(leaf, src, dst)
        self.leaf, self.src, self.dst = leaf, src, dst


def moveaxis(x: Any, src: int, dst: int) -> Any:
    """`x` with axis `src` at `dst`; `x` itself when it is there already."""
    if src == dst:
        return x
    src, dst = base.canonical_axis(src, x.ndim), base.canonical_axis(dst, x.ndim)
    order = [i for i in range(x.ndim) if i != src]
    order.insert(dst, src)
    return x.transpose(order)


def broadcast(x: Any, size: int, axis: int, mesh_axis: Any = None) -> Any:
    """`x` repeated along a new axis, cut along `mesh_axis` when `x` lives on a mesh.

    The mesh of `x` is in context meanwhile, also when it is none: what is looked up
    here shares no entry with the program's own broadcasts.
    """
    shape = list(base.shape(x))
    shape.insert(axis, size)
    places = numpy_ints(i for i in range(len(shape)) if i != axis)
    aval = abstractify(x)
    sharding = None
    if aval.mesh is not None:
        spec = list(aval.spec or (None,) * aval.ndim)
        spec.insert(axis, mesh_axis)
        sharding = base.sharding_of(aval.update(shape=tuple(shape), spec=tuple(spec)))
    with meshes.use_abstract_mesh(empty_abstract_mesh if aval.mesh is None else aval.mesh):
        return shapes.broadcast_in_dim(x, shape, places, out_sharding=sharding)


def at_front(x: Any, dim: int | None, size: int, mesh_axis: Any = None) -> Any:
    """`x` with its mapped axis in front; repeated `size` times when it has none."""
    return broadcast(x, size, 0, mesh_axis) if dim is None else moveaxis(x, dim, 0)


def match(axis: Any, src: int | None, dst: int | None, x: Any, sum_match: bool = False) -> Any:
    """`x`, mapped along `src`, made to be mapped along `dst`.

    Errors: TypeError when `x` is no JAX value; ValueError (with a named axis) or
    SpecMatchError when a mapped value should be unmapped and `sum_match` is off.
    """
    try:
        abstractify(x)
    except TypeError as error:
        raise TypeError(f"Output from batched function {x!r} with type {type(x)} is not a valid "
                        "JAX type") from error
    if src == dst:
        return x
    if src is not None and dst is not None:
        return moveaxis(x, src, dst)
    if dst is not None:
        return broadcast(x, axis.size, base.canonical_axis(dst, base.ndim(x) + 1),
                         axis.part)
    if sum_match:
        return x.sum(src)
    if axis.name is not None:
        raise ValueError(f"vmap has mapped output (axis_name={axis.name}) but out_axes is {dst}")
    raise SpecMatchError


def mapped(aval: Any, axis: int) -> Any:
    """The type of one element along an axis. JAX source: ``jax/_src/core.py: mapped_aval``."""
    if is_ref(aval):
        return AbstractRef(mapped(aval.inner, axis))
    spec = None if aval.spec is None else (*aval.spec[:axis], *aval.spec[axis + 1:])
    return aval.update(shape=(*aval.shape[:axis], *aval.shape[axis + 1:]), spec=spec)


def unmapped(aval: Any, axis: int | None, size: int, mesh_axis: Any = None) -> Any:
    """The type of `size` such elements along `axis`, or of one that is not mapped."""
    if axis is None:
        return aval
    if is_ref(aval):
        return AbstractRef(unmapped(aval.inner, axis, size, mesh_axis))
    old = (None,) * aval.ndim if aval.mesh is None else aval.spec
    spec = None if old is None else (*old[:axis], mesh_axis, *old[axis:])
    if aval.mesh is None:
        if mesh_axis is not None:
            # ValueError: a type without a mesh cannot be cut along one of its axes.
            NamedSharding(empty_abstract_mesh, PartitionSpec(*spec))
        spec = None
    return aval.update(shape=(*aval.shape[:axis], size, *aval.shape[axis:]), spec=spec)
