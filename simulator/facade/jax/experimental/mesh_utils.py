"""``jax.experimental.mesh_utils``."""

import math
from collections.abc import Sequence
from typing import Any

from simulator import process as _process
from simulator.facade.public import missing as _missing
from simulator.placement.devices import DeviceArray

__getattr__ = _missing("jax.experimental.mesh_utils")


def create_device_mesh(mesh_shape: Sequence[int], devices: Any = None, *,
                       contiguous_submeshes: bool = False,
                       allow_split_physical_axes: bool = False) -> DeviceArray:
    """The devices in order, in a shape: CPUs have no topology.

    Errors: ValueError when their number does not fit.
    """
    found = list(_process.current().devices if devices is None else devices)
    if math.prod(mesh_shape) != len(found):
        raise ValueError(f"Number of devices {len(found)} must equal the product of mesh_shape "
                         f"{mesh_shape}")
    return DeviceArray(found, tuple(mesh_shape))


__all__ = ["create_device_mesh"]
