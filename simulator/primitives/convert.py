"""Conversions between element types, and operations that give their operand back.

JAX source: jax/_src/lax/lax.py: convert_element_type_p, bitcast_convert_type_p,
copy_p, optimization_barrier_p, tie_p.
"""

from __future__ import annotations

from simulator.ndarrays.ndarray import NDArray, from_bytes, to_bytes
from simulator.primitives.core import Primitive
from simulator.primitives.rules import same_shape, same_spec
from simulator.primitives.standard import never_weak, standard
from simulator.types.dtype_core import dtype
from simulator.types.rounding import cast


def _convert(ins, out, values, **params):
    return cast(values, ins[0].dtype, out.dtype)


def _hide_sharding(params):
    return {k: v for k, v in params.items() if k != "sharding"}


convert_element_type_p = standard(
    "convert_element_type", same_shape, lambda x, *, new_dtype, **params: dtype(new_dtype),
    _convert, weak=lambda x, *, weak_type, **params: weak_type, spec=same_spec,
    print_params=_hide_sharding)
# In the module the type of the result says all.
convert_element_type_p.lowered = lambda params: ("convert_element_type", {})


def _bitcast_shape(operand, *, new_dtype):
    old, new = operand.dtype.bits, dtype(new_dtype).bits
    if old == new:
        return operand.shape
    if old > new:
        return (*operand.shape, old // new)
    last = operand.shape[-1] if operand.shape else 1
    if last * old != new:
        raise ValueError(
            f"Attempting to convert array of shape {operand.shape} from {operand.dtype} of size "
            f"{old} bits to {new_dtype} of size {new}, bits but {last} * {old} != {new}")
    return operand.shape[:-1]


def _bitcast_dtype(operand, *, new_dtype):
    new = dtype(new_dtype)
    if operand.dtype is not new and (operand.dtype.family in "bc" or new.family in "bc"):
        raise TypeError(
            "lax.bitcast_convert_type does not support bool or complex values unless the operand "
            f"and destination types match. Got operand dtype={operand.dtype}, "
            f"new_dtype={new!r}. Consider using the arr.view() method instead.")
    return new


def _bitcast(ins, out, values, *, new_dtype):
    return from_bytes(to_bytes(NDArray(ins[0].shape, ins[0].dtype, values)), out.dtype)


bitcast_convert_type_p = standard("bitcast_convert_type", _bitcast_shape, _bitcast_dtype,
                                  _bitcast, weak=never_weak)

copy_p = Primitive("copy", abstract=lambda x: x, impl=lambda x: x.copy())
optimization_barrier_p = Primitive("optimization_barrier", abstract=lambda *xs: list(xs),
                                   impl=lambda *xs: list(xs), multiple_results=True)
tie_p = Primitive("tie", abstract=lambda x, y: y, impl=lambda x, y: y)
