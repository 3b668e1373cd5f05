"""Key fields as short texts: the words in which both producers write a key.

Real JAX is described in the same words by `simulator.live.describe`. What JAX tells
apart by identity gets a label, ``f #2``; nothing of the program's own ``repr`` runs
here, except for metadata inside a tree definition.
"""

from __future__ import annotations

import enum
import weakref
from collections.abc import Iterable
from typing import Any

from simulator import process
from simulator.placement import mesh_types
from simulator.placement.devices import Device
from simulator.placement.partition_spec import PartitionSpec
from simulator.placement.sharding_base import UNSPECIFIED
from simulator.placement.sharding_types import NamedSharding, SingleDeviceSharding
from simulator.trees.treedef import PyTreeDef
from simulator.types.dtype_core import DType
from simulator.types.scalar_types import Generic

_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_PRINTED = (PyTreeDef, PartitionSpec, slice)
_DEEPEST = 4


def label(thing: Any, name: str) -> str:
    """``name #n``; the same object keeps its label while it lives."""
    return process.current().recorder.identities.label(thing, name)


def text(value: Any, level: int = 0) -> str:
    """Short text for any value in a key."""
    kind = type(value)
    if kind in _PLAIN:
        return str(value) if kind is not str or level == 0 else repr(value)
    if isinstance(value, enum.Enum):
        return f"{kind.__name__}.{value.name}"
    if kind in (tuple, list, dict, set, frozenset) and level < _DEEPEST:
        return _container(value, level + 1)
    if value is UNSPECIFIED:
        return "unspecified"
    if isinstance(value, (SingleDeviceSharding, NamedSharding)):
        return sharding(value)
    if isinstance(value, Device):
        return device(value)
    if isinstance(value, (mesh_types.Mesh, mesh_types.AbstractMesh)):
        return mesh(value)
    if isinstance(value, DType):
        return value.name
    if isinstance(value, Generic):
        # JAX computes with sizes as NumPy's int64, and compares them with plain numbers.
        return str(value) if _is_size(value) else f"{kind.__name__}({value})"
    if hasattr(kind, "str_short"):
        return aval(value)
    if isinstance(value, _PRINTED) or hasattr(kind, "_hlo_sharding"):
        return str(value).replace("PartitionSpec", "P")
    if kind.__name__.endswith("DimensionNumbers"):
        return str(value)
    if hasattr(kind, "key_text"):
        return value.key_text()
    if callable(value) and hasattr(value, "__name__"):
        return label(value, str(value.__name__))
    return label(value, getattr(kind, "shown_as", kind.__name__))


def statics(values: Iterable[Any]) -> str:
    """Static arguments, whose types are compared, too: 1 is not NumPy's 1."""
    return "[" + ", ".join(f"{type(value).__name__}({value})" if _is_size(value)
                           else text(value, 1) for value in values) + "]"


def _is_size(value: Any) -> bool:
    return isinstance(value, Generic) and type(value).__name__ == "int64"


def _container(value: Any, level: int) -> str:
    if isinstance(value, dict):
        inside = [f"{text(k, level)}: {text(v, level)}" for k, v in value.items()]
        return "{" + ", ".join(inside) + "}"
    inside = [text(item, level) for item in value]
    if isinstance(value, tuple):
        return "(" + ", ".join(inside) + ("," if len(inside) == 1 else "") + ")"
    if isinstance(value, list):
        return "[" + ", ".join(inside) + "]"
    return "{" + ", ".join(sorted(inside)) + "}"


def device(value: Device) -> str:
    """``cpu:0``"""
    return f"{value.platform}:{value.id}"


def mesh(value: Any) -> str:
    """``Mesh(x=2, y=2) on 0,1,2,3``; the kind of an axis when it is not Auto; ``-`` when empty."""
    if value.empty:
        return "-"
    axes = [f"{name}={size}" + ("" if kind.name == "Auto" else f" {kind.name}")
            for (name, size), kind in zip(value.shape_tuple, value.axis_types)]
    shown = f"{type(value).__name__}({', '.join(axes)})"
    devices = getattr(value, "_flat_devices_tuple", None)
    return shown + (" on " + ",".join(str(d.id) for d in devices) if devices else "")


def sharding(value: Any) -> str:
    """``SingleDevice(cpu:0)``, ``Named(Mesh(x=4) on 0,1,2,3, P('x',))``."""
    if isinstance(value, SingleDeviceSharding):
        return f"SingleDevice({device(value._device)})"
    spec = str(value.spec).replace("PartitionSpec", "P")
    return f"Named({mesh(value.mesh)}, {spec})"


def aval(value: Any) -> str:
    """``f32[3]``, with a star when the type is weak."""
    return value.str_short(True) + ("*" if getattr(value, "weak_type", False) else "")


def fields(**values: Any) -> list[tuple[str, str]]:
    """Key fields in the order given."""
    return [(name, text(value)) for name, value in values.items()]


def state(value: Any) -> str:
    """Text for the value of a configuration state."""
    if isinstance(value, weakref.ref):  # the current trace
        return label(value(), type(value()).__name__)
    if isinstance(value, enum.Enum):
        value = value.value if isinstance(value.value, (str, int)) else value.name
    return text(value)
