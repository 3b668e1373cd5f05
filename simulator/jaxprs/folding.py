"""Operations that leave no equation behind while a function is traced.

A conversion of a literal becomes another literal; a conversion to the type that
a value has, or a broadcast to its shape, becomes that value.

JAX source: ``jax/_src/interpreters/partial_eval.py: try_constant_folding,
forwarding_rules``; ``jax/_src/lax/lax.py: _convert_elt_type_folding_rule,
_convert_elt_type_fwd_rule, _broadcast_in_dim_fwd_rule``; ``jax/_src/dispatch.py: _device_put_folding_rule``.
"""

from __future__ import annotations

from typing import Any

from simulator.device_arrays.literals import TypedNdArray
from simulator.device_arrays.values import storage
from simulator.jaxprs.jaxpr import Literal
from simulator.ndarrays.ndarray import NDArray, asarray
from simulator.placement.sharding_types import NamedSharding
from simulator.types.scalar_types import Generic


def fold(primitive: Any, atoms: list, params: dict, avals: list) -> Literal | None:
    """The literal that replaces an equation, or None."""
    if primitive.name != "convert_element_type" or not isinstance(atoms[0], Literal):
        return None
    aval = avals[0]
    if aval.dtype.family == "k":
        return None
    value = atoms[0].val
    numbers = value if isinstance(value, TypedNdArray) else asarray(value)
    if numbers.dtype.family == "c" and aval.dtype.family != "c":
        numbers = numbers.real
    if numbers.dtype is not aval.dtype:
        numbers = numbers.astype(aval.dtype)
    return Literal(TypedNdArray.of(numbers, aval.weak_type), aval)


def forwards(primitive: Any, operand: Any, params: dict) -> bool:
    """Whether the result of an equation is its operand, so that it need not be written."""
    if primitive.name == "convert_element_type":
        return (operand.dtype is params["new_dtype"] and operand.dtype.family != "k"
                and operand.weak_type == params["weak_type"]
                and _same_place(operand, params["sharding"]))
    if primitive.name == "broadcast_in_dim":
        return (tuple(params["shape"]) == operand.shape
                and _same_place(operand, params["sharding"]))
    return False


def _same_place(operand: Any, sharding: Any) -> bool:
    if sharding is None:
        return True
    if not isinstance(sharding, NamedSharding):
        return False
    if operand.mesh is None:
        # The sharding of a type without a mesh: the empty mesh, nothing sharded.
        return sharding.mesh.empty and tuple(sharding.spec) == (None,) * len(operand.shape)
    return sharding.mesh == operand.mesh and tuple(sharding.spec) == operand.spec


def places_nowhere(constants: list, params: dict) -> bool:
    """Whether a ``device_put`` takes NumPy constants to no device in particular."""
    return (all(d is None for d in params["devices"])
            and all(isinstance(c, (NDArray, Generic)) for c in constants)
            and all("REUSE_INPUT" in str(c) for c in params["copy_semantics"]))


def literal_number(literal: Literal) -> Any:
    """The Python number that a jaxpr prints for a literal."""
    value = literal.val
    if isinstance(value, (bool, int, float, complex)) and not hasattr(value, "dtype"):
        return value
    if literal.aval.dtype.family == "v":
        return (b"",)  # float0: a record without fields
    return storage(value, literal.aval).item()
