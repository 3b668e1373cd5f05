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


def widened(sharding: Any, dim: int) -> Any:
    """The sharding of one element, for the whole array: the mapped axis is not cut.

    Over an abstract mesh the axis is left to XLA. A spec comes back as JAX reads it
    from XLA's sharding: without mesh axes of size 1 and without trailing Nones.
    """
    if sharding is UNSPECIFIED or not isinstance(sharding, NamedSharding):
        if sharding is UNSPECIFIED or sharding.is_fully_replicated:
            return sharding
        raise OutOfScope(f"{type(sharding).__name__} under jax.vmap", "use a NamedSharding")
    parts = sharding.spec.partitions
    cut = [tuple(n for n in (part if isinstance(part, tuple) else (part,))
                 if n not in (None, UNCONSTRAINED) and sharding.mesh.shape[n] != 1)
           for part in parts]
    if not any(cut):
        return sharding
    if isinstance(sharding.mesh, AbstractMesh):
        spec = [*parts, *[None] * (dim - len(parts))]
        spec.insert(dim, UNCONSTRAINED)
        return NamedSharding(sharding.mesh, PartitionSpec(*spec))
    cut += [()] * (dim - len(cut))
    cut.insert(dim, ())
    while not cut[-1]:
        cut.pop()
    return NamedSharding(sharding.mesh, PartitionSpec(*[part or None for part in cut]))


@rule("sharding_constraint")
def _constraint(primitive: Primitive, axis: Any, vals: list, dims: list, *, sharding: Any,
                layout: Any, context_mesh: Any, unconstrained_dims: frozenset) -> tuple:
    (x,), (dim,) = vals, dims
    free = frozenset({dim, *(d + (dim <= d) for d in unconstrained_dims)})
    wide = widened(sharding, dim)
    if isinstance(wide, NamedSharding):
        spec = list(wide.spec.partitions)
        spec += [None] * (base.ndim(x) - len(spec))
        for d in free:
            spec[d] = UNCONSTRAINED
        wide = NamedSharding(wide.mesh, PartitionSpec(*spec))
    return primitive.bind(x, sharding=wide, layout=layout, context_mesh=context_mesh,
                          unconstrained_dims=free), dim
