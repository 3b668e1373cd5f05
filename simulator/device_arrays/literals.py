"""Host constants that already know their JAX type.

A plain NumPy array takes the type that the current x64 setting gives it, and is
never weak. A constant that the library itself makes has its type fixed, and may
be weak: ``x * 2`` writes ``2.0:f32[]`` into the jaxpr.

JAX source: ``jax/_src/literals.py: TypedNdArray``.
"""

from __future__ import annotations

from typing import Any

from simulator.ndarrays.ndarray import NDArray, asarray
from simulator.types.avals import ShapedArray
from simulator.types.dtype_core import DType, float0


class TypedNdArray(NDArray):
    """An NDArray whose dtype is not narrowed and which may be weakly typed."""

    __slots__ = ("weak_type",)

    def __init__(self, shape: Any, dtype: DType, data: Any, weak_type: bool = False):
        super().__init__(shape, dtype, data)
        self.weak_type = weak_type

    @classmethod
    def of(cls, array: NDArray, weak_type: bool = False) -> TypedNdArray:
        """The same numbers, with their type fixed."""
        return cls(array.shape, array.dtype, array.cell, weak_type)

    @property
    def aval(self) -> ShapedArray:
        """Its type, weak or not, untouched by the x64 setting."""
        return ShapedArray(self.shape, self.dtype, self.weak_type)


    def __repr__(self) -> str:
        text = super().__repr__()
        return f"TypedNdArray{text[text.index('('):]}"


TypedNdArray.__module__ = "jax._src.literals"  # programs see it in gradients of integers


def float0_array(shape: Any) -> TypedNdArray:
    """The derivative of integers: an array of records without fields."""
    count = 1
    for n in shape:
        count *= n
    return TypedNdArray(tuple(shape), float0, [(b"",)] * count)


def constant(value: Any, dtype: DType, weak_type: bool = False) -> TypedNdArray:
    """A Python number or array in a dtype, rounded to it.

    Errors: OverflowError for an int that the dtype cannot hold.
    """
    return TypedNdArray.of(asarray(value, dtype), weak_type)
