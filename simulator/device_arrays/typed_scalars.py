"""Python numbers that know their JAX dtype: what eager JAX makes of a number it hands back.

`jax.lax.stop_gradient(2)` gives such a number. They are weak, as Python's are, and count
and print nearly like them. Simplified: the dtype is kept for the print; asked anew, the
type is the one that the current x64 setting gives a Python number.

JAX source: ``jax/_src/literals.py: TypedInt, TypedFloat, TypedComplex``.
"""

from __future__ import annotations

from typing import Any

from simulator.types.dtype_core import DType


class _Typed:
    dtype: DType

    def __new__(cls, value: Any, dtype: DType):
        made = super().__new__(cls, value)
        made.dtype = dtype
        return made

    def __repr__(self) -> str:
        plain = _base(self)(self)
        return f"{type(self).__name__}({plain!r}, dtype={self.dtype.name})"


class TypedInt(_Typed, int):
    """An int with a dtype; ``str`` shows it, too."""


class TypedFloat(_Typed, float):
    """A float with a dtype; ``str`` is that of the number."""

    def __str__(self) -> str:
        return str(float(self))


class TypedComplex(_Typed, complex):
    """A complex number with a dtype; ``str`` shows it, too."""


_KINDS = {int: TypedInt, float: TypedFloat, complex: TypedComplex}
for _kind in _KINDS.values():
    _kind.__module__ = "jax._src.literals"      # programs see these names


def _base(x: Any) -> type:
    return next(kind for kind in _KINDS if isinstance(x, kind))


def typed(x: Any, dtype: DType) -> Any:
    """A Python number with a dtype; one that has its own keeps it."""
    return x if isinstance(x, _Typed) else _KINDS[_base(x)](x, dtype)
