"""The pieces of an array, one per device: `jax.Array.addressable_shards`.

JAX source: ``jax/_src/array.py: Shard, ArrayImpl.addressable_shards``;
``jax/_src/sharding_impls.py: device_replica_id_map``.

Simplified: an `Array` keeps its numbers once, so a piece is cut out when it is
asked for.
"""

from __future__ import annotations

import functools
from typing import Any

from simulator.device_arrays.arrays import Array
from simulator.errors import OutOfScope
from simulator.placement.sharding_types import SingleDeviceSharding
from simulator.types.avals import ShapedArray


class Shard:
    """The piece of an array on one device.

    Args:
      array: the whole. device: where the piece lives. index: the slices it is.
      replica_id: how many devices before this one hold the same piece.
    """

    def __init__(self, array: Array, device: Any, index: tuple, replica_id: int):
        self._array, self.device, self.index, self.replica_id = array, device, index, replica_id

    @functools.cached_property
    def data(self) -> Array:
        """The piece as an array of its own, committed to the device."""
        numbers = self._array.storage()[self.index]
        aval = ShapedArray(numbers.shape, self._array.dtype, self._array.aval.weak_type)
        return Array(aval, numbers, SingleDeviceSharding(self.device), True)

    def __repr__(self) -> str:
        return (f"Shard(device={self.device!r}, index={self.index}, "
                f"replica_id={self.replica_id}, data={self.data})")


def shards(array: Array) -> list[Shard]:
    """The pieces in the order of the devices. OutOfScope for key arrays."""
    if array.dtype.family == "k":
        raise OutOfScope("jax.Array.addressable_shards of keys", "use jax.random.key_data first")
    array.storage()  # RuntimeError for a deleted array
    seen: dict[str, int] = {}
    found = []
    for device, index in array.sharding.devices_indices_map(array.shape).items():
        replica = seen.get(str(index), 0)
        seen[str(index)] = replica + 1
        found.append(Shard(array, device, index, replica))
    return found


def install() -> None:
    """Give `Array` what tells of its pieces."""
    Array.addressable_shards = Array.global_shards = property(shards)
    Array.addressable_data = lambda self, index: shards(self)[index].data
