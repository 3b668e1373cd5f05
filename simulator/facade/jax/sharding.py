"""``jax.sharding``."""

from simulator.facade.jax.lax.reshard import reshard
from simulator.facade.public import missing as _missing
from simulator.placement.mesh import get_abstract_mesh, get_mesh, set_mesh, use_abstract_mesh
from simulator.placement.mesh_types import AbstractMesh, AxisType, Mesh
from simulator.placement.shardings import (
           NamedSharding,
           PartitionSpec,
           Sharding,
           SingleDeviceSharding,
)

__getattr__ = _missing("jax.sharding")

__all__ = ["AbstractMesh", "AxisType", "Mesh", "NamedSharding", "PartitionSpec", "Sharding",
           "SingleDeviceSharding", "get_abstract_mesh", "get_mesh", "reshard", "set_mesh",
           "use_abstract_mesh"]
