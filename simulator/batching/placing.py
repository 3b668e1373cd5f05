"""Batching placement: ``device_put``, sharding constraints, ``reshard``.

JAX source: ``jax/_src/dispatch.py: _device_put_batcher``; ``jax/_src/pjit.py:
_sharding_constraint_batcher, _pjit_batcher_for_sharding, _reshard_batcher``.
"""

from __future__ import annotations

from typing import Any

from simulator.batching.elementwise import with_axis
from simulator.batching.rules import rule
from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base, reshard  # noqa: F401  (reshard has the primitive)
from simulator.placement.mesh_types import AbstractMesh
from simulator.placement.partition_spec import UNCONSTRAINED, PartitionSpec
from simulator.placement.sharding_types import NamedSharding
from simulator.placement.shardings import UNSPECIFIED
from simulator.primitives.core import Primitive


@rule("device_put")
def _device_put(primitive: Primitive, axis: Any, vals: list, dims: list, **params: Any) -> tuple:
    return primitive.bind(*vals, **params), dims


@rule("reshard")
def _reshard(primitive: Primitive, axis: Any, vals: list, dims: list, *, dst_sharding: Any,
             **params: Any) -> tuple:
    return primitive.bind(vals[0], dst_sharding=with_axis(axis, dst_sharding, dims[0]), **params), dims[0]


def widened(axis: Any, sharding: Any, dim: int) -> Any:
    """The sharding of one element, for the whole array: the mapped axis is not cut.

    Over an abstract mesh the axis is left to XLA. A spec comes back as JAX reads it
    from XLA's sharding: without mesh axes of size 1 and without trailing Nones. With
    ``spmd_axis_name`` the mapped axis is cut along that.
    """
    if sharding is UNSPECIFIED:
        return sharding
    if not isinstance(sharding, NamedSharding):
        if sharding.is_fully_replicated and axis.spmd_names is None:
            return sharding
        raise OutOfScope(f"{type(sharding).__name__} under jax.vmap", "use a NamedSharding")
    parts = sharding.spec.partitions
    cut = [tuple(n for n in (part if isinstance(part, tuple) else (part,))
                 if n not in (None, UNCONSTRAINED) and sharding.mesh.shape[n] != 1)
           for part in parts]
    if axis.spmd_names is None and not any(cut):
        return sharding
    if isinstance(sharding.mesh, AbstractMesh):
        spec = [*parts, *[None] * (dim - len(parts))]
        spec.insert(dim, UNCONSTRAINED if axis.spmd_names is None else axis.spmd_names)
        return NamedSharding(sharding.mesh, PartitionSpec(*spec))
    while cut and not cut[-1]:
        cut.pop()
    cut += [()] * (dim - len(cut))
    cut.insert(dim, axis.spmd_names or ())
    while not cut[-1]:
        cut.pop()
    return NamedSharding(sharding.mesh, PartitionSpec(*[part or None for part in cut]))


@rule("sharding_constraint")
def _constraint(primitive: Primitive, axis: Any, vals: list, dims: list, *, sharding: Any,
                layout: Any, context_mesh: Any, unconstrained_dims: frozenset) -> tuple:
    (x,), (dim,) = vals, dims
    free = {d + (dim <= d) for d in unconstrained_dims}
    if axis.spmd_names is None:
        free.add(dim)
    elif isinstance(sharding, NamedSharding):
        _refuse_used(axis.spmd_names, sharding.spec)
    wide = widened(axis, sharding, dim)
    if free and isinstance(wide, NamedSharding):
        spec = list(wide.spec.partitions)
        spec += [None] * (base.ndim(x) - len(spec))
        for d in free:
            spec[d] = UNCONSTRAINED
        wide = NamedSharding(wide.mesh, PartitionSpec(*spec))
    return primitive.bind(x, sharding=wide, layout=layout, context_mesh=context_mesh,
                          unconstrained_dims=frozenset(free)), dim


def _refuse_used(names: tuple, spec: PartitionSpec) -> None:
    used = {n for part in spec.partitions for n in (part if isinstance(part, tuple) else (part,))}
    if not used.isdisjoint(names):
        raise ValueError(f"vmap spmd_axis_name {names} cannot appear in with_sharding_constraint "
                         f"spec, but got spec {spec}")
