"""Devices, and small arrays of devices.

The modelled machine has one CPU, cut into as many devices as the XLA flag
``--xla_force_host_platform_device_count`` (or ``jax_num_cpu_devices``) asks for.

JAX source: `jaxlib/py_device.cc: PyDevice`.
"""

from __future__ import annotations

import math
import re

from simulator.c_types import CType, written_in_c
from simulator.errors import OutOfScope

MEMORY_KINDS = ("device", "pinned_host", "unpinned_host")


class Client:
    """The backend that owns the devices; only its name is modelled."""

    platform = "cpu"

    def process_index(self) -> int:
        """0: there is one process."""
        return 0


_CLIENT = Client()


class Device(metaclass=CType):
    """One device. Compared and hashed by identity."""

    __slots__ = ("id", "__weakref__")
    platform = device_kind = "cpu"
    process_index = host_id = task_id = 0
    client = _CLIENT

    def __init__(self, id: int):
        self.id = id

    @property
    def local_hardware_id(self) -> int:
        """The device's number within its process, which is its id."""
        return self.id

    def __repr__(self):
        return f"CpuDevice(id={self.id})"

    def __str__(self):
        return f"cpu:{self.id}"

    def memory_stats(self):
        """None, as JAX answers for a CPU."""
        return None

    def memory(self, kind):
        """OutOfScope: ``Device.memory``."""
        raise OutOfScope("Device.memory", "the model has one kind of memory")

    def addressable_memories(self):
        """OutOfScope: ``Device.addressable_memories``."""
        raise OutOfScope("Device.addressable_memories", "the model has one kind of memory")

    def default_memory(self):
        """OutOfScope: ``Device.default_memory``."""
        raise OutOfScope("Device.default_memory", "the model has one kind of memory")


written_in_c(Device, "jaxlib._jax.Device")


def device_count(flags: str) -> int:
    """How many CPU devices XLA_FLAGS ask for; 1 when they do not say."""
    found = re.findall(r"--xla_force_host_platform_device_count=(\d+)", flags)
    return int(found[-1]) if found else 1


def devices_from_flags(flags: str) -> list[Device]:
    """The devices of a new process with these XLA_FLAGS."""
    return [Device(i) for i in range(device_count(flags))]


class DeviceArray:
    """What `numpy.array(jax.devices())` is: an object array, as far as meshes need it.

    Args:
      items: nested lists or tuples of devices.
      shape: with it, `items` is flat.
    """

    __slots__ = ("shape", "_flat")

    def __init__(self, items, shape: tuple[int, ...] | None = None):
        if shape is None:
            items, shape = _nested(items)
        self.shape, self._flat = tuple(shape), list(items)

    @property
    def flat(self) -> list:
        """The devices in C order."""
        return list(self._flat)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of devices."""
        return len(self._flat)

    @property
    def dtype(self):
        """OutOfScope: NumPy's object dtype."""
        raise OutOfScope("dtype of an array of devices", "use its shape or its items")

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index):
        index = index if isinstance(index, tuple) else (index,)
        index += (slice(None),) * (self.ndim - len(index))
        if len(index) > self.ndim or not all(isinstance(i, (int, slice)) for i in index):
            raise OutOfScope("this index of an array of devices", "use integers and slices")
        picks = []
        for i, size in zip(index, self.shape):
            if isinstance(i, int) and not -size <= i < size:
                raise IndexError(f"index {i} is out of bounds for axis 0 with size {size}")
            picks.append([i % size] if isinstance(i, int) else list(range(*i.indices(size))))
        positions = [0]
        for pick, size in zip(picks, self.shape):
            positions = [p * size + i for p in positions for i in pick]
        shape = tuple(len(p) for p, i in zip(picks, index) if isinstance(i, slice))
        items = [self._flat[p] for p in positions]
        return DeviceArray(items, shape) if shape or not items else items[0]

    def reshape(self, *shape):
        """The devices in another shape; one size may be -1. ValueError when it does not fit."""
        shape = tuple(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else shape
        if -1 in shape:
            known = -math.prod(shape)
            shape = tuple(self.size // known if n == -1 else n for n in shape)
        if math.prod(shape) != self.size:
            text = ",".join(map(str, shape)) + ("," if len(shape) == 1 else "")
            raise ValueError(f"cannot reshape array of size {self.size} into shape ({text})")
        return DeviceArray(self._flat, shape)

    def copy(self):
        """The same devices in a new array."""
        return DeviceArray(self._flat, self.shape)

    def flatten(self):
        """The devices in one row."""
        return DeviceArray(self._flat, (self.size,))

    ravel = flatten

    def transpose(self, *axes):
        """The devices with the axes in another order, reversed by default."""
        axes = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        axes = tuple(axes) or tuple(reversed(range(self.ndim)))
        order = transposed(range(self.size), self.shape, axes)
        return DeviceArray([self._flat[i] for i in order], tuple(self.shape[a] for a in axes))

    @property
    def T(self):
        """The devices with the axes in reverse order."""
        return self.transpose()

    def tolist(self):
        """Nested lists of devices."""
        return self._flat[0] if not self.shape else [
            x.tolist() if isinstance(x, DeviceArray) else x for x in self]

    def __eq__(self, other):
        raise OutOfScope("== of arrays of devices", "compare their .flat lists")

    __hash__ = None

    def __repr__(self):
        return f"array({self.tolist()!r}, dtype=object)"

    def __str__(self):
        return repr(self.tolist()).replace(", ", " ")


def holds_devices(x) -> bool:
    """Whether `numpy.array(x)` would be an array of devices: its first item is one."""
    while isinstance(x, (list, tuple)) and x:
        x = x[0]
    return isinstance(x, (Device, DeviceArray))


def transposed(items, shape, axes) -> list:
    """The row-major items of an array of this shape after permuting its axes."""
    items = list(items)
    strides = [math.prod(shape[i + 1:]) for i in range(len(shape))]
    positions = [0]
    for axis in axes:
        positions = [p + i * strides[axis] for p in positions for i in range(shape[axis])]
    return [items[p] for p in positions]


def _nested(items) -> tuple[list, tuple]:
    if isinstance(items, DeviceArray):
        return items.flat, items.shape
    if not isinstance(items, (list, tuple)):
        return [items], ()
    parts = [_nested(x) for x in items]
    shapes = {shape for _, shape in parts}
    if len(shapes) > 1:
        raise ValueError("setting an array element with a sequence. The requested array has an "
                         "inhomogeneous shape")
    inner = shapes.pop() if shapes else ()
    return [d for flat, _ in parts for d in flat], (len(items), *inner)
