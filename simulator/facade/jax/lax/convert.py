"""Any value into an array, and from one element type to another.

JAX source: ``jax/_src/lax/lax.py: asarray, convert_element_type,
_convert_element_type, stage, bitcast_convert_type``.
"""

from __future__ import annotations

import math
from typing import Any

from simulator import explain
from simulator.device_arrays.arrays import Array
from simulator.device_arrays.literals import TypedNdArray, constant
from simulator.dispatch import apply_primitive
from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base
from simulator.jaxprs.tracer import Tracer
from simulator.ndarrays.ndarray import NDArray
from simulator.ndarrays.ndarray import asarray as numpy_array
from simulator.placement.shardings import NamedSharding, aval_with_sharding
from simulator.primitives.ambient import context_mesh
from simulator.primitives.convert import bitcast_convert_type_p, convert_element_type_p
from simulator.primitives.core import Primitive
from simulator.types import dtypes
from simulator.types.dtype_core import DType
from simulator.types.scalar_types import Generic


# `stage` takes a constant into the current computation. While tracing it leaves
# nothing behind; eagerly it is a compiled identity, unless its operand is an
# array already.
class _Stage(Primitive):
    def bind_with(self, trace: Any, args: Any, params: dict) -> Any:
        return trace.stage_value(args[0])


stage_p = _Stage("stage", abstract=lambda x: x, impl=lambda x: x)
stage_p.eager = lambda x: x if isinstance(x, Array) else apply_primitive(stage_p, (x,), {})


def stage(x: Any, /) -> Any:
    """``jax.lax.stage``."""
    return stage_p.bind(x)


def asarray(x: Any) -> Any:
    """An array or tracer; Python numbers stay weakly typed. TypeError for other things."""
    if isinstance(x, base.ARRAYS):
        return x
    if isinstance(x, TypedNdArray):
        return convert(x, weak_type=x.weak_type)
    if isinstance(x, (bool, NDArray, Generic)):
        return convert(x, weak_type=False)
    if isinstance(x, (int, float, complex)):
        return convert(coerce(x), weak_type=True)
    raise TypeError(f"asarray: expected ArrayLike, got {x} of type {type(x)}.")


def coerce(x: Any, dtype: DType | None = None) -> NDArray:
    """A scalar as a NumPy array in its JAX type. OverflowError for an int too wide."""
    if dtype is None and type(x) in base.SCALARS:
        dtype = dtypes.python_scalar_dtype(x, base.x64())
    return numpy_array(x, dtype) if dtype is not None else numpy_array(x)


def convert_element_type(operand: Any, new_dtype: Any) -> Any:
    """``jax.lax.convert_element_type``: never weak."""
    return convert(operand, base.user_dtype(new_dtype, "convert_element_type"))


def convert(operand: Any, new_dtype: DType | None = None, weak_type: bool = False,
            sharding: Any = None, warn_on_complex: bool = True) -> Any:
    """To a dtype (or the same one), weak or not.

    Constants are converted on the host. A value that has the type already is
    returned as it is; everything else is one ``convert_element_type``.
    """
    operand = base.unwrapped(operand)
    old = base.dtype(operand)
    if old.family == "k" or (new_dtype is not None and new_dtype.family == "k"):
        if new_dtype in (None, old) and sharding is None:
            return operand
        raise OutOfScope("conversion of typed PRNG keys", "use jax.random.key_data")
    old_weak = base.is_weak(operand)
    new_dtype = new_dtype or old
    if warn_on_complex and old.family == "c" and new_dtype.family != "c":
        explain.python_warning("ComplexWarning", "Casting complex values to real discards the "
                                                 "imaginary part")
    if type(operand) is int:
        operand = TypedNdArray.of(numpy_array(operand).astype(new_dtype), weak_type)
    elif isinstance(operand, NDArray):
        source = operand.real if operand.dtype.family == "c" != new_dtype.family else operand
        operand = TypedNdArray.of(source.astype(new_dtype, copy=False), weak_type)
    if isinstance(operand, (*base.SCALARS, Generic)):
        if sharding is None:
            if old is new_dtype and old_weak == weak_type:
                return stage(operand)
            if not weak_type and not (_not_finite(operand) and new_dtype.family in "iu"):
                try:
                    return stage(constant(operand, new_dtype))
                except OverflowError:
                    pass
    elif isinstance(operand, base.ARRAYS):
        # A tracer of a known value is converted all the same, as in JAX. To ask for the
        # value comes last: in an eager shard_map that takes three operations.
        if (old is new_dtype and old_weak == weak_type
                and not (isinstance(operand, Tracer) and base.is_concrete(operand))
                and (sharding is None or getattr(operand, "sharding", None) == sharding)):
            return operand
    return convert_element_type_p.bind(operand, new_dtype=new_dtype, weak_type=weak_type,
                                       sharding=sharding)


def _bind_and_place(*args: Any, **params: Any) -> Any:
    # A conversion to a place is two operations, also inside the eager wrapper.
    out = Primitive.bind(convert_element_type_p, *args, **params)
    sharding = params["sharding"]
    if sharding is None or not sharding._is_concrete:
        return out
    from simulator.facade.jax.lax.placing import with_sharding_constraint
    return with_sharding_constraint(out, sharding)


_convert_abstract = convert_element_type_p.abstract


def _placed_type(x: Any, *, sharding: Any, **params: Any) -> Any:
    out = _convert_abstract(x, sharding=None, **params)
    if sharding is None:
        return out
    plain = out.update(mesh=None, spec=None)
    if isinstance(sharding, NamedSharding):
        return aval_with_sharding(plain, sharding)
    return plain.update(mesh=context_mesh())


convert_element_type_p.bind = _bind_and_place  # type: ignore[method-assign]
convert_element_type_p.abstract = _placed_type


def _not_finite(x: Any) -> bool:
    parts = (x.real, x.imag) if isinstance(x, complex) else (x,)
    return any(isinstance(p, (float, Generic)) and not math.isfinite(float(p)) for p in parts)


def bitcast_convert_type(operand: Any, new_dtype: Any) -> Any:
    """``jax.lax.bitcast_convert_type``: the same bits read as another type."""
    return bitcast_convert_type_p.bind(
        operand, new_dtype=base.user_dtype(new_dtype, "bitcast_convert_type"))
