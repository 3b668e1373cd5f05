"""`Mesh` and `AbstractMesh`: devices, or only sizes, with named axes.

Both are interned: equal arguments give the same object, and comparison is
identity. The fast path compares the mesh of a `NamedSharding` by pointer; it is
interning that makes an equal new mesh hit.

JAX source: `jax/_src/mesh.py`.
"""

from __future__ import annotations

import contextlib
import enum
import math
import weakref
from collections import OrderedDict

from simulator.errors import OutOfScope
from simulator.named_tuples import NamedTuple
from simulator.placement.devices import Device, DeviceArray


class AxisType(enum.Enum):
    """Who decides how arrays are split along an axis: XLA, the types, or the program."""

    Auto = enum.auto()
    Explicit = enum.auto()
    Manual = enum.auto()

    def __repr__(self):
        return self.name


class AbstractDevice(NamedTuple):
    """The kind of device an `AbstractMesh` stands for."""

    device_kind: str
    num_cores: int | None
    platform: str

    def __repr__(self):
        return f"AbstractDevice({self.text()})"

    def text(self) -> str:
        """Its fields, as the repr of an `AbstractMesh` shows them."""
        return (f"device_kind={self.device_kind}, num_cores={self.num_cores}, "
                f"platform={self.platform}")


def _axis_types(names: tuple, types, owner: str, default: AxisType) -> tuple:
    types = (default,) * len(names) if types is None else types
    types = types if isinstance(types, tuple) else (types,)
    if not all(isinstance(t, AxisType) for t in types):
        raise TypeError(f"axis_types passed to {owner} must be of type `jax.sharding.AxisType`. "
                        f"Got {types} of type {tuple(type(t) for t in types)}")
    if len(names) != len(types):
        raise ValueError("Number of axis names should match the number of axis_types. Got "
                         f"axis_names={names} and axis_types={types}")
    return types


class _BaseMesh:
    __slots__ = ()

    def _any(self, *types: AxisType) -> bool:
        return any(t in types for t in self.axis_types)

    def _all(self, *types: AxisType) -> bool:
        return bool(self.axis_types) and all(t in types for t in self.axis_types)

    def _named(self, kind: AxisType) -> tuple:
        return tuple(n for n, t in zip(self.axis_names, self.axis_types) if t is kind)

    are_all_axes_auto = property(lambda self: self._all(AxisType.Auto))
    are_all_axes_explicit = property(lambda self: self._all(AxisType.Explicit))
    are_all_axes_manual = property(lambda self: self._all(AxisType.Manual))
    _are_all_axes_auto_or_manual = property(lambda self: self._all(AxisType.Auto, AxisType.Manual))
    _any_axis_auto = property(lambda self: self._any(AxisType.Auto))
    _any_axis_explicit = property(lambda self: self._any(AxisType.Explicit))
    _any_axis_manual = property(lambda self: self._any(AxisType.Manual))
    auto_axes = property(lambda self: self._named(AxisType.Auto))
    explicit_axes = property(lambda self: self._named(AxisType.Explicit))
    manual_axes = property(lambda self: self._named(AxisType.Manual))
    empty = property(lambda self: self.size == 0)
    shape_tuple = property(lambda self: tuple(zip(self.axis_names, self.axis_sizes)))
    shape = property(lambda self: OrderedDict(self.shape_tuple))
    _name_to_type = property(lambda self: dict(zip(self.axis_names, self.axis_types)))

    def __setattr__(self, name, value):
        raise AttributeError(f"cannot assign to field {name!r}")


def _intern(table, cls, key, **fields):
    mesh = table.get(key)
    if mesh is None:
        mesh = object.__new__(cls)
        for name, value in fields.items():
            object.__setattr__(mesh, name, value)
        table[key] = mesh
    return mesh


class Mesh(_BaseMesh, contextlib.ContextDecorator):
    """Devices arranged along named axes. ``with mesh:`` is the old way to enter it.

    Args:
      devices: an array (or nested lists) of devices.
      axis_names: one per dimension of `devices`.
      axis_types: an `AxisType`, or one per axis; Auto when missing.
    """

    __slots__ = ("devices", "axis_names", "axis_types", "size", "_flat_devices_tuple",
                 "_abstract", "__weakref__")

    def __new__(cls, devices, axis_names, axis_types=None):
        array = devices if isinstance(devices, DeviceArray) else DeviceArray(devices)
        names = (axis_names,) if isinstance(axis_names, str) else tuple(axis_names)
        if any(n is None for n in names):
            raise ValueError(f"Mesh axis names cannot be None. Got: {names}")
        if array.ndim != len(names):
            raise ValueError("Mesh requires the ndim of its first argument (`devices`) to equal "
                             "the length of its second argument (`axis_names`), but got "
                             f"devices.ndim == {array.ndim} and len(axis_names) == {len(names)}.")
        types = _axis_types(names, axis_types, "Mesh", AxisType.Auto)
        flat = tuple(array.flat)
        if not all(isinstance(d, Device) or d is None for d in flat):
            raise OutOfScope("a mesh of something else than devices", "use jax.devices()")
        empty = not names and flat == (None,)
        return _intern(_meshes, cls, (flat, array.shape, names, types), devices=array,
                       axis_names=names, axis_types=types, size=0 if empty else len(flat),
                       _flat_devices_tuple=flat, _abstract=None)

    @property
    def axis_sizes(self) -> tuple[int, ...]:
        """The sizes of the axes, in order."""
        return self.devices.shape

    @property
    def is_scalar(self) -> bool:
        """Whether it is one device without axes."""
        return self.size == 1 and not self.axis_names

    @property
    def is_multi_process(self) -> bool:
        """False: there is one process."""
        return False

    @property
    def device_ids(self):
        """The ids, as an array of the mesh's shape."""
        from simulator.ndarrays.ndarray import NDArray
        return NDArray(self.devices.shape, "int64", [d.id for d in self._flat_devices_tuple])

    @property
    def local_devices(self) -> list:
        """The devices of this process: all of them, in C order."""
        return list(self._flat_devices_tuple)

    @property
    def local_mesh(self) -> Mesh:
        """The part of this process: all of it."""
        return self

    @property
    def abstract_mesh(self) -> AbstractMesh:
        """Names, sizes and types of the axes, without the devices."""
        if self._abstract is None:
            made = empty_abstract_mesh if not self.axis_names else AbstractMesh(
                self.axis_sizes, self.axis_names, self.axis_types,
                abstract_device=AbstractDevice("cpu", None, "cpu"))
            object.__setattr__(self, "_abstract", made)
        return self._abstract

    def update(self, devices=None, axis_names=None, axis_types=None) -> Mesh:
        """A mesh with other devices, names or types of axes."""
        return Mesh(self.devices if devices is None else devices,
                    self.axis_names if axis_names is None else axis_names,
                    self.axis_types if axis_types is None else axis_types)

    def __reduce__(self):
        return Mesh, (self.devices, self.axis_names, self.axis_types)

    def __str__(self):
        if self.empty:
            return "Mesh()"
        sizes = ", ".join(f"'{n}': {s}" for n, s in self.shape_tuple)
        return f"Mesh({sizes}, axis_types={self.axis_types})"

    def __repr__(self):
        if self.empty:
            return "Mesh(axis_sizes=(), axis_names=())"
        return (f"Mesh(axis_sizes={self.axis_sizes}, axis_names={self.axis_names!r}, "
                f"axis_types={self.axis_types})")

    def __enter__(self):
        from simulator.placement import mesh
        mesh.enter_legacy(self)
        return self

    def __exit__(self, *_):
        from simulator.placement import mesh
        mesh.exit_legacy()
        return False


class AbstractMesh(_BaseMesh):
    """Axis names, sizes and types, without devices: the part of a mesh that types carry."""

    __slots__ = ("axis_sizes", "axis_names", "axis_types", "abstract_device", "size",
                 "__weakref__")

    def __new__(cls, axis_sizes, axis_names, axis_types=None, *, abstract_device=None):
        types = _axis_types(axis_names, axis_types, "AbstractMesh", AxisType.Explicit)
        return _intern(_abstract, cls, (axis_sizes, axis_names, types, abstract_device),
                       axis_sizes=axis_sizes, axis_names=axis_names, axis_types=types,
                       abstract_device=abstract_device,
                       size=math.prod(axis_sizes) if axis_sizes else 0)

    @property
    def abstract_mesh(self) -> AbstractMesh:
        """The mesh itself."""
        return self

    def update(self, axis_sizes=None, axis_names=None, axis_types=None, **kwargs) -> AbstractMesh:
        """A mesh with other sizes, names or types of axes."""
        kwargs.setdefault("abstract_device", self.abstract_device)
        return AbstractMesh(self.axis_sizes if axis_sizes is None else axis_sizes,
                            self.axis_names if axis_names is None else axis_names,
                            self.axis_types if axis_types is None else axis_types, **kwargs)

    def update_axis_types(self, name_to_type: dict) -> AbstractMesh:
        """A mesh in which the named axes have other types."""
        return self.update(axis_types=tuple(
            name_to_type.get(n, t) for n, t in zip(self.axis_names, self.axis_types)))

    def __reduce__(self):
        return _abstract_again, (self.axis_sizes, self.axis_names, self.axis_types,
                                 self.abstract_device)

    def __repr__(self):
        sizes = ", ".join(f"'{n}': {s}" for n, s in self.shape_tuple) or "()"
        device = f", {self.abstract_device.text()}" if self.abstract_device else ""
        return f"AbstractMesh({sizes}, axis_types={self.axis_types}{device})"

    def _absent(name):
        def fail(self, *_):
            raise ValueError(f"AbstractMesh does not implement {name}")
        return fail

    devices = property(_absent("devices"))
    device_ids = property(_absent("device_ids"))
    is_multi_process = property(_absent("is_multi_process"))
    local_devices = property(_absent("local_devices"))
    local_mesh = property(_absent("local_mesh"))
    __enter__ = _absent("__enter__")
    __exit__ = _absent("__exit__")


def _abstract_again(sizes, names, types, device) -> AbstractMesh:
    return AbstractMesh(sizes, names, types, abstract_device=device)


for _cls in (Mesh, AbstractMesh, AxisType, AbstractDevice):
    _cls.__module__ = "jax._src.mesh"
_meshes: weakref.WeakValueDictionary = weakref.WeakValueDictionary()
_abstract: weakref.WeakValueDictionary = weakref.WeakValueDictionary()
empty_abstract_mesh = AbstractMesh((), ())
empty_concrete_mesh = Mesh(DeviceArray([None], ()), ())
