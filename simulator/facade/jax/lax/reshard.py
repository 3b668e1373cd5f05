"""``jax.sharding.reshard``: another sharding over Explicit axes.

JAX source: ``jax/_src/pjit.py: reshard, reshard_p``.
"""

from __future__ import annotations

from typing import Any

from simulator import dispatch
from simulator.device_arrays.values import abstractify
from simulator.facade.jax.lax.placing import canonical_out_sharding
from simulator.placement import mesh as meshes
from simulator.placement.mesh_types import Mesh
from simulator.placement.partition_spec import PartitionSpec
from simulator.placement.sharding_types import NamedSharding, Sharding
from simulator.primitives.core import Primitive
from simulator.trees import pytrees
from simulator.trees.tree_errors import flatten_axis_resources
from simulator.types.avals import ShapedArray


def reshard(xs: Any, out_shardings: Any) -> Any:
    """``jax.sharding.reshard``.

    Args:
      xs: a pytree of arrays. out_shardings: a sharding or spec, or a prefix tree.

    Errors: ValueError for a sharding that says nothing.
    """
    leaves, tree = pytrees.tree_flatten(xs)
    if out_shardings is None or isinstance(out_shardings, (Sharding, PartitionSpec)):
        wanted: list = [out_shardings] * len(leaves)
    else:
        wanted = list(flatten_axis_resources(pytrees.current(), "reshard out_shardings", tree,
                                             out_shardings, True))
    outs = []
    for leaf, s in zip(leaves, wanted):
        target = canonical_out_sharding(s, "reshard", check_mesh=False)
        if target is None:
            raise ValueError("Reshard should only be used with out_shardings which are non-None and "
                             f"have a non-empty mesh. Got sharding {s}.")
        missing = len(abstractify(leaf).shape) - len(target.spec)
        target = NamedSharding(target.mesh, PartitionSpec(*target.spec, *[None] * missing))
        concrete = s.mesh if isinstance(s, NamedSharding) and isinstance(s.mesh, Mesh) else None
        outs.append(reshard_p.bind(leaf, dst_sharding=target, concrete_mesh=concrete))
    return tree.unflatten(outs)


def _abstract(x: ShapedArray, *, dst_sharding: NamedSharding, concrete_mesh: Any) -> ShapedArray:
    return x.update(mesh=dst_sharding.mesh, spec=dst_sharding.spec)


def _eager(x: Any, *, dst_sharding: NamedSharding, concrete_mesh: Any) -> Any:
    params = dict(dst_sharding=dst_sharding, concrete_mesh=concrete_mesh)
    if concrete_mesh is None:
        return dispatch.apply_primitive(reshard_p, (x,), params)
    with meshes.set_mesh(concrete_mesh):
        return dispatch.apply_primitive(reshard_p, (x,), params)


reshard_p = Primitive("reshard", abstract=_abstract, impl=lambda x, **params: x,
                      print_params=lambda params: {})
reshard_p.eager = _eager
