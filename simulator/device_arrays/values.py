"""From any value to its type, and to the numbers inside.

JAX source: ``jax/_src/core.py: shaped_abstractify, typeof``,
``jax/_src/abstract_arrays.py``, ``jax/_src/dtypes.py: canonicalize_value``.
"""

from __future__ import annotations

import functools
import types
from typing import Any

from simulator import process
from simulator.device_arrays.arrays import Array, ShapeDtypeStruct
from simulator.device_arrays.literals import TypedNdArray
from simulator.errors import InvalidInputException
from simulator.jaxprs.tracer import Tracer
from simulator.ndarrays.ndarray import NDArray
from simulator.references.ref_types import is_ref
from simulator.types import dtypes
from simulator.types.avals import ShapedArray
from simulator.types.scalar_types import Generic

PYTHON_SCALARS = (bool, int, float, complex)
_SCALARS = (*PYTHON_SCALARS, Generic)
_JAX_TYPES = (Tracer, Array, *_SCALARS, NDArray, ShapeDtypeStruct)


def x64() -> bool:
    """Whether 64-bit types are on in the running process."""
    return bool(process.current().config.value("jax_enable_x64"))


@functools.cache
def _scalar_type(kind: type, wide: bool) -> ShapedArray:
    return ShapedArray((), dtypes.python_scalar_dtype(kind(0), wide), weak_type=kind is not bool)


def scalar_aval(value: Any) -> ShapedArray:
    """The type of a Python scalar: weak, except bool. OverflowError for a wide int."""
    kind = type(value)
    if kind not in PYTHON_SCALARS:
        kind = next(t for t in PYTHON_SCALARS if isinstance(value, t))
    aval = _scalar_type(kind, x64())
    if kind is int:
        dtypes.check_int_fits(int(value), aval.dtype)
    return aval


def abstractify(value: Any) -> ShapedArray:
    """The type that tracing sees.

    Errors: TypeError when `value` is no JAX value, ValueError when it has ``__jax_array__``.
    """
    if isinstance(value, (Tracer, Array)):
        return value.aval
    if type(value) in PYTHON_SCALARS:
        return scalar_aval(value)
    if isinstance(value, Generic):
        return ShapedArray((), dtypes.canonicalize(value.dtype, x64()))
    if is_ref(getattr(value, "aval", None)):
        return value.aval
    if isinstance(value, TypedNdArray):
        return value.aval
    if isinstance(value, NDArray):
        if value.dtype.kind not in "biufc" and value.dtype not in (dtypes.bfloat16,
                                                                   dtypes.float0):
            raise TypeError(f"Dtype {value.dtype} is not a valid JAX array type. Only arrays of "
                            "numeric types are supported by JAX.")
        return ShapedArray(value.shape, dtypes.canonicalize(value.dtype, x64()))
    if isinstance(value, PYTHON_SCALARS):
        return scalar_aval(value)
    if isinstance(value, ShapeDtypeStruct):
        return value.aval()
    if getattr(value, "__jax_array__", None) is not None:
        raise ValueError("Triggering __jax_array__() during abstractification is no longer "
                         "supported. To avoid this error, either explicitly convert your object "
                         "using jax.numpy.array(), or register your object as a pytree.")
    if type(value) is str:
        raise TypeError(f"Argument '{value}' of type {str} is not a valid JAX type")
    raise TypeError(f"Cannot interpret value of type {type(value)} as an abstract array; it does "
                    "not have a dtype attribute")


def shaped_abstractify(value: Any) -> ShapedArray:
    """The type of an argument: like `abstractify`, but whatever has a dtype will do.

    No number is needed before a program runs, so ``jax.eval_shape`` takes any object with
    a shape and a dtype. JAX source: ``jax/_src/core.py: shaped_abstractify``."""
    try:
        return abstractify(value)
    except TypeError:
        nothing = isinstance(value, (*_JAX_TYPES, type, types.ModuleType))   # ``np`` has a dtype
        if nothing or not hasattr(value, "dtype"):
            raise
    kind = dtypes.canonicalize(dtypes.dtype(value.dtype), x64())
    return ShapeDtypeStruct(value.shape if hasattr(value, "shape") else (), kind,
                            weak_type=getattr(value, "weak_type", False),
                            sharding=getattr(value, "sharding", None)).aval()


def check_arg(value: Any) -> None:
    """TypeError for an argument that only looks like an array. JAX source:
    ``jax/_src/dispatch.py: check_arg``."""
    if not isinstance(value, _JAX_TYPES) and not is_ref(getattr(value, "aval", None)):
        raise TypeError(f"Argument '{value}' of type {type(value)} is not a valid JAX type.")


def typeof(x: Any) -> ShapedArray:
    """``jax.typeof``: the JAX type of a value. TypeError when it has none."""
    try:
        return abstractify(x)
    except TypeError:
        if type(x) is str:   # JAX has two places for this; only one of them quotes the type
            raise
        raise TypeError(f"Argument '{x}' of type '{type(x)}' is not a valid JAX type") from None


def is_scalar_constant(value: Any) -> bool:
    """Whether a constant is written in place: scalars, but not scalar `jax.Array`s."""
    return isinstance(value, _SCALARS) or (
        isinstance(value, NDArray) and not value.shape)


def storage(value: Any, aval: ShapedArray | None = None) -> NDArray:
    """The numbers of a concrete value, in the dtype JAX computes with.

    Args:
      value: array, NumPy array, or Python scalar.
      aval: the type to convert to; the value's own type when left out.

    Errors: RuntimeError for a deleted array, OverflowError for an int that does
    not fit, InvalidInputException for a `ShapeDtypeStruct`, which has no numbers.
    """
    if isinstance(value, Array):
        numbers = value.storage()
        if aval is not None and aval.dtype.family == "k":
            # C++ sees the words of a key array; the program wants the keys.
            from simulator.randomness.key_arrays import words_of
            return words_of(numbers, aval)
        return numbers
    if isinstance(value, ShapeDtypeStruct):
        raise InvalidInputException(f"Argument of type {type(value)} is not a valid JAX type.")
    aval = aval or abstractify(value)
    if is_ref(getattr(value, "aval", None)):
        return value.buffer.storage()
    if isinstance(value, Generic):
        value = value.__array__()
    if isinstance(value, NDArray):
        # A copy costs nothing until one of the two is written to.
        return value.copy() if value.dtype is aval.dtype else value.astype(aval.dtype)
    if isinstance(value, int) and not isinstance(value, bool):
        dtypes.check_int_fits(value, dtypes.python_scalar_dtype(0, x64()))
    return NDArray((), aval.dtype, dtypes.normalize([value], aval.dtype))
