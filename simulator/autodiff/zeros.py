"""Zeros that are known without computing: most derivatives are.

A tangent that cannot be anything but zero is a `Zero`, never an array; an operation all
of whose tangents are `Zero` is not differentiated at all. Only where an array is needed
is a zero *instantiated*.

JAX source: ``jax/_src/ad_util.py``; ``jax/_src/core.py: ShapedArray.to_tangent_aval``;
``jax/_src/lax/lax.py: zeros_like_shaped_array, _add_arrays``.
"""

from __future__ import annotations

from typing import Any

from simulator.device_arrays.values import abstractify
from simulator.errors import OutOfScope
from simulator.ndarrays.ndarray import NDArray
from simulator.placement.mesh import use_abstract_mesh
from simulator.placement.mesh_types import empty_abstract_mesh
from simulator.primitives.binary import add_any_p
from simulator.references.ref_types import is_ref
from simulator.types import dtypes
from simulator.types.avals import ShapedArray
from simulator.types.dtype_core import DType


def tangent_dtype(dtype: DType) -> DType:
    """The dtype of a derivative: ``float0``, which holds nothing, unless inexact."""
    return dtype if dtype.family in "fc" else dtypes.float0


def tangent_aval(aval: ShapedArray) -> ShapedArray:
    """The type of the derivative of a value of this type. OutOfScope: a reference's."""
    if is_ref(aval):
        raise OutOfScope("differentiating a function that uses a Ref",
                         "carry the value in a loop or as a result")
    return aval.update(dtype=tangent_dtype(aval.dtype))


class Zero:
    """A derivative known to be zero, of the type `aval`."""

    __slots__ = ("aval",)

    def __init__(self, aval: ShapedArray):
        self.aval = aval

    def __repr__(self) -> str:
        return f"Zero({self.aval})"


class SymbolicZero:
    """What custom rules get for a `Zero` when they asked for it (``symbolic_zeros=True``)."""

    def __init__(self, aval: ShapedArray):
        self.aval = aval

    def __repr__(self) -> str:
        return "SymbolicZero"

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "aval"), name)


def zero_of(value: Any) -> Zero:
    """The zero tangent of a value."""
    return Zero(tangent_aval(abstractify(value)))


def is_zero(tangent: Any) -> bool:
    """Whether a tangent is a `Zero`: known without computing."""
    return type(tangent) is Zero


def zeros(aval: ShapedArray) -> Any:
    """An array of zeros of a type."""
    from simulator.facade.jax.lax import base, convert, shapes
    if aval.dtype is dtypes.float0:
        scalar: Any = NDArray((), dtypes.float0, [False])
    else:
        scalar = convert.convert(0, aval.dtype, aval.weak_type)
    made = shapes.broadcast(scalar, aval.shape,
                            out_sharding=base.sharding_of(aval) or shapes.NO_MESH)
    if not aval.varying:
        return made
    from simulator.manual.varying import pvary
    return pvary(made, aval.varying)


def instantiate(tangent: Any) -> Any:
    """A tangent as an array.

    The mesh of its type is in context meanwhile, also when it is none: what is looked up
    here shares no entry with the program's own zeros.
    """
    if type(tangent) is not Zero:
        return tangent
    with use_abstract_mesh(tangent.aval.mesh or empty_abstract_mesh):
        return zeros(tangent.aval)


def to_symbolic(tangent: Any) -> Any:
    """As custom rules with ``symbolic_zeros`` get it."""
    return SymbolicZero(tangent.aval) if type(tangent) is Zero else tangent


def from_symbolic(tangent: Any) -> Any:
    """As custom rules give it back."""
    return Zero(tangent.aval) if type(tangent) is SymbolicZero else tangent


def add(x: Any, y: Any) -> Any:
    """The sum of two tangents."""
    if type(x) is Zero:
        return y
    return x if type(y) is Zero else add_any_p.bind(x, y)


def _add_arrays(x: Any, y: Any) -> Any:
    from simulator.facade.jax import lax
    return lax.add(x, y)


add_any_p.eager = _add_arrays
