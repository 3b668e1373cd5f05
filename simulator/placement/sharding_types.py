"""Shardings: on which devices an array lives, and how it is cut.

JAX source: `jax/_src/named_sharding.py`, `jax/_src/sharding_impls.py`,
`jax/_src/sharding.py`; `jaxlib/sharding.cc`.

Simplified: one kind of memory ("device"), one process, no logical device ids.
"""

from __future__ import annotations

from simulator import process
from simulator.c_types import written_in_c
from simulator.errors import OutOfScope
from simulator.placement import hlo_sharding
from simulator.placement.devices import Device
from simulator.placement.hlo_sharding import HloSharding, named_dims
from simulator.placement.mesh_types import AbstractMesh, AxisType, Mesh
from simulator.placement.partition_spec import UNCONSTRAINED, PartitionSpec
from simulator.placement.sharding_base import (  # noqa: F401
    UNSPECIFIED,
    DuplicateSpecError,
    IndivisibleError,
    Sharding,
    UnspecifiedValue,
    checked_memory_kind,
    equivalent,
)


class SingleDeviceSharding(Sharding):
    """Everything on one device.

    One that `jax.jit` made of its ``device`` or ``backend`` has `_device_backend` set: arguments
    are then brought there, wherever they are committed. No comparison sees it."""

    __slots__ = ("_device", "memory_kind", "_device_backend")
    is_fully_replicated = True

    def __init__(self, device: Device, *, memory_kind: str | None = None):
        self._device, self.memory_kind = device, checked_memory_kind(memory_kind, True)
        self._device_backend = False

    def __eq__(self, other):
        return (isinstance(other, SingleDeviceSharding) and self._device is other._device
                and self.memory_kind == other.memory_kind)

    def __hash__(self):
        return hash((self._device, self.memory_kind))

    def __repr__(self):
        return f"SingleDeviceSharding(device={self._device!r}, memory_kind={self.memory_kind})"

    @property
    def devices(self) -> tuple:
        return (self._device,)

    def with_memory_kind(self, kind):
        """The same device with another memory kind."""
        return SingleDeviceSharding(self._device, memory_kind=kind)

    def _to_xla_hlo_sharding(self, ndim: int) -> HloSharding:
        return hlo_sharding.REPLICATED


class NamedSharding(Sharding):
    """A mesh and a spec.

    ValueError for an axis the mesh does not have, DuplicateSpecError for one
    used twice. With an `AbstractMesh` it has no devices."""

    __slots__ = ("mesh", "spec", "memory_kind")
    _logical_device_ids = None

    def __init__(self, mesh: Mesh | AbstractMesh, spec: PartitionSpec, *,
                 memory_kind: str | None = None, _logical_device_ids=None):
        if _logical_device_ids is not None:
            raise OutOfScope("NamedSharding with logical device ids")
        if mesh is None or spec is None:
            raise TypeError("__init__(): incompatible function arguments. The following argument "
                            "types are supported:")
        self.mesh, self.spec = mesh, spec
        concrete = isinstance(mesh, Mesh) and not mesh.empty
        self.memory_kind = checked_memory_kind(memory_kind, concrete)
        _check_spec(mesh, spec)
        if process.running() and any(mesh.shape.get(n) == 1 for n in spec.names()):
            process.current().config.check_limits(
                "a mesh axis of size one in a sharding", "jax_remove_size_one_mesh_axis_from_type")

    def __eq__(self, other):
        return self is other or (
            isinstance(other, NamedSharding) and self.mesh is other.mesh
            and self.spec is other.spec and self.memory_kind == other.memory_kind)

    def __hash__(self):
        return hash((self.mesh, self.spec, self.memory_kind))

    def __repr__(self):
        kind = "" if self.memory_kind is None else f", memory_kind={self.memory_kind}"
        return f"NamedSharding(mesh={self.mesh!s}, spec={self.spec}{kind})"

    def _concrete(self, name: str) -> Mesh:
        if isinstance(self.mesh, AbstractMesh):
            raise ValueError(f"{name} is not implemented for `jax.sharding.AbstractMesh`.")
        return self.mesh

    @property
    def devices(self) -> tuple:
        return self._concrete("_device_assignment")._flat_devices_tuple

    @property
    def device_set(self) -> set:
        return set(self._concrete("device_set")._flat_devices_tuple)

    @property
    def is_fully_addressable(self) -> bool:
        """Whether this process has all its devices: always. ValueError on an abstract mesh."""
        self._concrete("is_fully_addressable")
        return True

    @property
    def addressable_devices(self) -> set:
        return set(self._concrete("addressable_devices")._flat_devices_tuple)

    @property
    def num_devices(self) -> int:
        return self.mesh.size

    @property
    def _is_concrete(self) -> bool:
        return isinstance(self.mesh, Mesh)

    @property
    def is_fully_replicated(self) -> bool:
        """Whether every device has all of it."""
        sizes = self.mesh.shape
        return self.mesh.size == 1 or all(sizes[n] == 1 for n in self.spec.names())

    @property
    def replicated_axes(self) -> frozenset:
        """The mesh axes over which nothing is split."""
        return frozenset(self.mesh.axis_names) - frozenset(self.spec.names())

    def check_compatible_aval(self, shape) -> None:
        if len(shape) < len(self.spec):
            extra = "" if shape else " For scalars the PartitionSpec should be P()"
            raise ValueError(f"Sharding {self} is only valid for values of rank at least "
                             f"{len(self.spec)}, but was applied to a value of rank "
                             f"{len(shape)}.{extra}")

    def update(self, **kwargs) -> NamedSharding:
        """A sharding with another ``mesh``, ``spec`` or ``memory_kind``."""
        spec = kwargs.pop("spec", self.spec)
        spec = spec if isinstance(spec, PartitionSpec) else PartitionSpec(*spec)
        return NamedSharding(kwargs.pop("mesh", self.mesh), spec,
                             memory_kind=kwargs.pop("memory_kind", self.memory_kind), **kwargs)

    def with_memory_kind(self, kind) -> NamedSharding:
        """The same mesh and spec with another memory kind."""
        return self.update(memory_kind=kind)

    def is_equivalent_to(self, other: Sharding, ndim: int) -> bool:
        if isinstance(self.mesh, AbstractMesh) and isinstance(other.mesh, AbstractMesh):
            return equivalent(self, other, ndim)
        return super().is_equivalent_to(other, ndim)

    def _to_xla_hlo_sharding(self, ndim: int) -> HloSharding:
        mesh = self.mesh
        if mesh._any_axis_manual:
            raise OutOfScope("the layout of an array inside shard_map")
        return hlo_sharding.from_spec(mesh.axis_names, mesh.axis_sizes, self.spec, ndim)


def _check_spec(mesh, spec: PartitionSpec) -> None:
    check_unique_axes(spec, "NamedSharding spec")
    for _, name in named_dims(spec):
        if name not in mesh.axis_names:
            raise ValueError(f"Resource axis: {name} of {spec} is not found in mesh: "
                             f"{mesh.axis_names}.")
    if AxisType.Auto not in mesh.axis_types and UNCONSTRAINED in spec.partitions:
        raise ValueError(f"{spec} cannot contain `P.UNCONSTRAINED` when no mesh axis_types are "
                         f"`Auto`. Got mesh axis_types: {mesh.axis_types}")


def check_unique_axes(spec: PartitionSpec, what: str) -> None:
    """DuplicateSpecError when an axis splits two dimensions."""
    names = [n for _, n in named_dims(spec)]
    twice = [n for n in dict.fromkeys(names) if names.count(n) > 1]
    if twice:
        axes = ", ".join(sorted(f"`{n}`" for n in twice))
        raise DuplicateSpecError(
            f"A single {what} specification can map every mesh axis to at most one positional "
            f"dimension, but {spec} has duplicate entries for {axes}")


class GSPMDSharding(Sharding):
    """A layout without axis names, as XLA answers it. Compared by layout and devices."""

    __slots__ = ("_devices", "_hlo_sharding", "memory_kind")

    def __init__(self, devices, hlo: HloSharding, *, memory_kind: str | None = None):
        self._devices, self._hlo_sharding = tuple(devices), hlo
        self.memory_kind = checked_memory_kind(memory_kind, True)

    @classmethod
    def replicated(cls, devices) -> GSPMDSharding:
        """A full copy on each device."""
        return cls(devices, hlo_sharding.REPLICATED)

    def __eq__(self, other):
        return (isinstance(other, GSPMDSharding)
                and hlo_sharding.equal(self._hlo_sharding, other._hlo_sharding)
                and self._devices == other._devices)

    def __hash__(self):
        layout = hlo_sharding.REPLICATED if self._hlo_sharding.replicated else self._hlo_sharding
        return hash((self._devices, layout))

    def __repr__(self):
        return f"GSPMDSharding({self._hlo_sharding!r}, memory_kind={self.memory_kind})"

    @property
    def devices(self) -> tuple:
        return self._devices

    @property
    def is_fully_replicated(self) -> bool:
        """Whether every device has all of it."""
        return self._hlo_sharding.replicated

    def with_memory_kind(self, kind):
        """The same tiles with another memory kind."""
        return GSPMDSharding(self._devices, self._hlo_sharding, memory_kind=kind)

    def _to_xla_hlo_sharding(self, ndim: int) -> HloSharding:
        return self._hlo_sharding


class ChosenByXla(Sharding):
    """The sharding of a result that XLA chose in a way the model does not follow.

    Its devices are known. Comparing or reading the layout is out of scope, so a
    program that never looks runs on."""

    __slots__ = ("_devices", "_reason")
    memory_kind = "device"

    def __init__(self, devices, reason: str):
        self._devices, self._reason = tuple(devices), reason

    def _refuse(self, *_):
        raise OutOfScope(f"a sharding that XLA chose ({self._reason})",
                         "give out_shardings or use an Explicit mesh")

    __eq__ = _to_xla_hlo_sharding = _refuse
    __hash__ = __repr__ = _refuse
    is_fully_replicated = spec = mesh = property(_refuse)

    @property
    def devices(self) -> tuple:
        return self._devices


for _cls in (SingleDeviceSharding, NamedSharding):
    written_in_c(_cls, f"jaxlib._jax.{_cls.__qualname__}")
for _cls in (Sharding, NamedSharding, SingleDeviceSharding):
    _cls.__module__ = "jax.sharding"
