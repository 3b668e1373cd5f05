"""What all shardings share, and the value that stands for "none was given".

JAX source: `jax/_src/sharding.py: Sharding, common_is_equivalent_to`;
`jax/_src/named_sharding.py: UNSPECIFIED`; `jaxlib/sharding.cc:
CheckAndCanonicalizeMemoryKind`.
"""

from __future__ import annotations

from simulator.c_types import CType
from simulator.errors import OutOfScope
from simulator.placement import hlo_sharding
from simulator.placement.devices import MEMORY_KINDS
from simulator.trees.tree_registry import LEAVES


class UnspecifiedValue:
    """The type of `UNSPECIFIED`: the caller said nothing about placement."""

    def __repr__(self):
        return "UnspecifiedValue"


UNSPECIFIED = UnspecifiedValue()
LEAVES.add(UnspecifiedValue)


class IndivisibleError(ValueError):
    """An array dimension that does not split evenly."""


class DuplicateSpecError(Exception):
    """A mesh axis used for two dimensions."""


class Sharding(metaclass=CType):
    """What all shardings can do."""

    __slots__ = ("__weakref__",)
    is_fully_addressable = True

    @property
    def devices(self) -> tuple:
        """The device assignment: all devices, in order."""
        raise NotImplementedError("Subclasses should implement this method.")

    @property
    def hlo(self):
        """Function from number of dimensions to `HloSharding`."""
        return self._to_xla_hlo_sharding

    @property
    def _device_assignment(self) -> tuple:
        return self.devices

    @property
    def device_set(self) -> set:
        """The devices, without order."""
        return set(self.devices)

    @property
    def addressable_devices(self) -> set:
        """The devices of this process: all of them."""
        return self.device_set

    @property
    def num_devices(self) -> int:
        """How many devices there are."""
        return len(self.devices)

    _is_concrete = True

    def check_compatible_aval(self, shape) -> None:
        """ValueError when arrays of this shape cannot have this sharding."""

    def shard_shape(self, global_shape) -> tuple[int, ...]:
        """Shape of the piece on each device; IndivisibleError when it does not split evenly."""
        global_shape = tuple(global_shape)
        hlo = self._to_xla_hlo_sharding(len(global_shape))
        if hlo.replicated:
            return global_shape
        out = []
        for dim, (size, pieces) in enumerate(zip(global_shape, hlo.tiles)):
            if size % pieces:
                raise IndivisibleError(
                    f"{self} implies that array axis {dim} is partitioned {pieces} times, but the "
                    f"dimension size is {size} (full shape: {global_shape}, per-dimension tiling "
                    f"factors: {hlo.tiles} should evenly divide the shape)")
            out.append(size // pieces)
        return tuple(out)

    def devices_indices_map(self, global_shape) -> dict:
        """Device -> the slices of the array that it holds."""
        self.shard_shape(global_shape)
        hlo = self._to_xla_hlo_sharding(len(global_shape))
        return dict(zip(self.devices, hlo.indices(tuple(global_shape), self.num_devices)))

    addressable_devices_indices_map = devices_indices_map

    def is_equivalent_to(self, other: Sharding, ndim: int) -> bool:
        """Same pieces on the same devices, for arrays of `ndim` dimensions."""
        return equivalent(self, other, ndim) and self.devices == other.devices

    def __ne__(self, other):
        return not self == other


def equivalent(a: Sharding, b: Sharding, ndim: int) -> bool:
    """Same pieces in the same order, whatever the devices."""
    return (hlo_sharding.equal(a._to_xla_hlo_sharding(ndim), b._to_xla_hlo_sharding(ndim))
            and a.memory_kind == b.memory_kind)


def checked_memory_kind(kind, concrete: bool):
    """The memory kind, made explicit when the sharding is `concrete`. ValueError for a kind
    that a CPU does not have, OutOfScope for one other than "device"."""
    if kind not in (None, *MEMORY_KINDS):
        kinds = ", ".join(MEMORY_KINDS)
        raise ValueError(
            "Could not find memory addressable by device cpu. Device cpu can address the "
            f"following memory kinds: {kinds}. Got memory kind: {kind}" if concrete else
            f"Got invalid memory kind: {kind}. Valid memory kinds are: {kinds}")
    if kind not in (None, "device"):
        raise OutOfScope(f"memory kind {kind}", "the model has device memory only")
    return "device" if concrete else kind
