"""``jax.export``."""

from typing import Any

from simulator.errors import OutOfScope as _OutOfScope
from simulator.exporting.dimensions import Dimension as _Dimension
from simulator.exporting.dimensions import parse as _parse
from simulator.exporting.exported import Exported, export
from simulator.facade.public import missing as _missing

__getattr__ = _missing("jax.export")

minimum_supported_calling_convention_version = 9
maximum_supported_calling_convention_version = 10


def symbolic_shape(shape_spec: str | None, *, constraints: Any = (), scope: Any = None,
                   like: Any = None) -> tuple:
    """``jax.export.symbolic_shape``: a shape with names in the places of numbers."""
    if constraints or scope is not None or like is not None or "..." in (shape_spec or "..."):
        raise _OutOfScope("jax.export.symbolic_shape with options", "name every size")
    return _parse(shape_spec or "")


def is_symbolic_dim(p: Any) -> bool:
    """``jax.export.is_symbolic_dim``."""
    return isinstance(p, _Dimension)


def default_export_platform() -> str:
    """``jax.export.default_export_platform``."""
    return "cpu"


__all__ = ["Exported", "default_export_platform", "export", "is_symbolic_dim",
           "maximum_supported_calling_convention_version",
           "minimum_supported_calling_convention_version", "symbolic_shape"]
