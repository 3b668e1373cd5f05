"""What the library functions ask of any value: its dtype, shape, weakness, axes.

JAX source: ``jax/_src/dtypes.py: dtype, check_and_canonicalize_user_dtype,
is_weakly_typed``; ``jax/_src/core.py: canonicalize_shape, concrete_or_error``;
``jax/_src/util.py: canonicalize_axis``; ``jax/_src/lax/lax.py: _const``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from simulator import explain, process
from simulator.configuration.config_states import ExplicitX64Mode
from simulator.device_arrays.arrays import Array
from simulator.device_arrays.literals import TypedNdArray, constant
from simulator.device_arrays.typed_scalars import TypedComplex, TypedFloat, TypedInt
from simulator.device_arrays.values import abstractify, x64
from simulator.errors import OutOfScope
from simulator.jaxprs.tracer import Tracer
from simulator.ndarrays.ndarray import NDArray, asarray
from simulator.types import dtypes
from simulator.types.avals import ShapedArray
from simulator.types.dtype_core import DType
from simulator.types.scalar_types import Generic

ARRAYS = (Tracer, Array)  # what JAX calls jax.Array
SCALARS = (bool, int, float, complex)
_WEAK = (int, float, complex, TypedInt, TypedFloat, TypedComplex)

typeof: Callable[[Any], ShapedArray] = abstractify


def unwrapped(x: Any) -> Any:
    """What a value of the program gives for itself (``__jax_array__``), or the value."""
    return (x if isinstance(x, ARRAYS) or not hasattr(x, "__jax_array__")
            else x.__jax_array__())


def dtype(x: Any) -> DType:
    """The dtype JAX gives a value, dtype name or scalar type. TypeError for anything else."""
    if isinstance(x, type) and x in SCALARS:
        return dtypes.canonicalize(dtypes.dtype(x), x64())
    if type(x) in SCALARS:
        return dtypes.canonicalize(dtypes.dtype(type(x)), x64())
    if isinstance(x, (*ARRAYS, TypedNdArray)):
        return x.dtype
    if isinstance(x, (str, DType)) or isinstance(x, type):
        return _explicit(dtypes.dtype(x), "dtype")
    if isinstance(x, (Generic, NDArray)) or hasattr(x, "dtype"):
        return dtypes.canonicalize(dtypes.dtype(x.dtype), x64())
    if isinstance(x, SCALARS):
        kind = next(t for t in SCALARS if isinstance(x, t))
        return dtypes.canonicalize(dtypes.dtype(kind), x64())
    if isinstance(x, (list, tuple)):
        return dtypes.canonicalize(asarray(x).dtype, x64())
    raise TypeError(f"Cannot determine dtype of {x}")


def _explicit(wanted: DType, name: str) -> DType:
    narrow = dtypes.canonicalize(wanted, x64())
    if narrow is wanted:
        return wanted
    asked = f"Explicitly requested dtype {wanted}{f' requested in {name}' if name else ''} is not"
    if process.current().config.value("jax_explicit_x64_dtypes") is ExplicitX64Mode.ERROR:
        raise ValueError(
            f"{asked} available. To enable more dtypes, set the jax_enable_x64 or "
            "allow_explicit_x64_dtypes configuration options."
            "See https://github.com/jax-ml/jax#current-gotchas for more.")
    explain.python_warning(
        "UserWarning",
        f"{asked} available, and will be truncated to dtype {narrow.name}. To enable more "
        "dtypes, set the jax_enable_x64 configuration option or the JAX_ENABLE_X64 shell "
        "environment variable. See https://github.com/jax-ml/jax#current-gotchas for more.")
    return narrow


def user_dtype(wanted: Any, name: str = "") -> DType:
    """A dtype that the program asked for, in the form JAX computes with.

    Errors: ValueError for None or an array, TypeError for what is no dtype. Warns
    when a 64-bit type is narrowed.
    """
    if wanted is None:
        raise ValueError("dtype must be specified.")
    if isinstance(wanted, ARRAYS):
        raise ValueError("Passing an array as a dtype argument is no longer supported; instead "
                         "of dtype=arr use dtype=arr.dtype.")
    if isinstance(wanted, type) and wanted in SCALARS:
        return dtypes.canonicalize(dtypes.dtype(wanted), x64())
    found = dtypes.dtype(wanted)
    return found if found.family == "k" else _explicit(found, name)


def default_int() -> DType:
    """int32, or int64 with x64."""
    return dtypes.default_dtype("i", x64())


def default_float() -> DType:
    """float32, or float64 with x64."""
    return dtypes.default_dtype("f", x64())


def is_kind(x: Any, families: str) -> bool:
    """Whether a value's dtype is of one of the families ``b i u f c k``."""
    return dtype(x).family in families


def is_weak(*values: Any) -> bool:
    """Whether every value is weakly typed (a Python number, or made only of them)."""
    return all(type(x) in _WEAK or _aval_weak(x) for x in values)


def _aval_weak(x: Any) -> bool:
    aval = getattr(x, "aval", None)
    return bool(getattr(aval, "weak_type", False)) and isinstance(aval, ShapedArray)


def shape(x: Any) -> tuple[int, ...]:
    """``numpy.shape``: arrays, scalars, nested lists; for NumPy any other object is a scalar."""
    found = getattr(x, "shape", None)
    if found is not None:
        return tuple(found)
    nested = hasattr(x, "__getitem__") and not isinstance(x, (dict, str, bytes, type))
    return asarray(x).shape if nested or hasattr(x, "__array__") else ()


def ndim(x: Any) -> int:
    """The number of axes of any value."""
    return len(shape(x))


def size(x: Any) -> int:
    """The number of elements of any value."""
    total = 1
    for n in shape(x):
        total *= n
    return total


def is_scalar(x: Any) -> bool:
    """``numpy.isscalar``: Python and NumPy scalars, not 0-dimensional arrays."""
    return isinstance(x, (*SCALARS, Generic, str, bytes))


def const(example: Any, value: Any) -> Any:
    """A scalar constant that does not change the type of `example`."""
    to = dtype(example)
    aval = getattr(example, "aval", None)
    weak = (aval.weak_type and not aval.shape if isinstance(aval, ShapedArray)
            else type(example) in SCALARS)
    if weak:
        kind = {"b": bool, "i": int, "u": int, "f": float, "c": complex}[to.family]
        number = kind(value)
        return number if dtype(number) is to else asarray(number, to)
    return constant(value, to)


def concrete(force: Callable | None, value: Any, context: str = "") -> Any:
    """``force(value)``, for arguments that must be known while tracing.

    Errors: ConcretizationTypeError for a tracer, with `context` in the message.
    """
    if isinstance(value, Tracer):
        known = value.to_concrete_value()
        if known is not None:
            return force(known) if force is not None else known
        raise value.unknown(context)
    return force(value) if force is not None else value


def is_concrete(x: Any) -> bool:
    """Whether a value is known: no tracer, or one that wraps a known value."""
    return not isinstance(x, Tracer) or x.to_concrete_value() is not None


def canonical_axis(axis: Any, rank: int) -> int:
    """An axis number made positive. ValueError when out of bounds."""
    axis = operator.index(axis)
    if not -rank <= axis < rank:
        raise ValueError(f"axis {axis} is out of bounds for array of dimension {rank}")
    return axis + rank if axis < 0 else axis


def canonical_axes(axis: Any, rank: int, allow_duplicate: bool = False) -> tuple[int, ...]:
    """None, one axis or several, as a tuple. ValueError for repeated ones."""
    if axis is None:
        return tuple(range(rank))
    if not isinstance(axis, (tuple, list, range)):
        return (canonical_axis(axis, rank),)
    axes = tuple(canonical_axis(i, rank) for i in axis)
    if not allow_duplicate and len(set(axes)) != len(axes):
        raise ValueError(f"repeated axis: {axes}")
    return axes


def _size(d: Any) -> Any:
    # Only `jax.export` makes sizes that are no numbers.
    from simulator.exporting.dimensions import Dimension
    return d if isinstance(d, Dimension) else operator.index(d)


def canonical_shape(wanted: Any, context: str = "") -> tuple[int, ...]:
    """A shape argument as a tuple of ints. TypeError for anything else."""
    if isinstance(wanted, int):
        wanted = (wanted,)
    try:
        return tuple([d if type(d) is int else _size(d) for d in wanted])
    except TypeError:
        pass
    text = ("Shapes must be 1D sequences of concrete values of integer type, got "
            f"{wanted}.")
    if context:
        text += f" {context}."
    if any(isinstance(d, Tracer) for d in wanted):
        text += ("\nIf using `jit`, try using `static_argnums` or applying `jit` to smaller "
                 "subfunctions.")
        text += "".join(d.origin() for d in wanted if isinstance(d, Tracer))
    raise TypeError(text)


def index_tuple(x: Any) -> tuple[int, ...]:
    """One index or a sequence of them, as a tuple."""
    x = concrete(None, x, "expected a static index or sequence of indices.")
    try:
        return (operator.index(x),)
    except TypeError:
        return tuple(map(operator.index, x))


def index_dtype(shape_: Sequence[int]) -> DType:
    """The signed type for indices into a shape."""
    return dtypes.int64 if any(d > 0x7FFFFFFF for d in shape_) else dtypes.int32


def no_out_sharding(out_sharding: Any, name: str) -> None:
    """OutOfScope for results placed by hand; an empty sharding passes."""
    if out_sharding is not None:
        raise OutOfScope(f"{name}(out_sharding=…)", "use jax.device_put on the result")


def sharding_of(aval: ShapedArray) -> Any:
    """The sharding in a type, as the sharding parameter of primitives; None without a mesh."""
    if aval.mesh is None:
        return None
    from simulator.placement.shardings import NamedSharding, PartitionSpec
    return NamedSharding(aval.mesh, PartitionSpec(*aval.spec))
