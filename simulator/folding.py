"""Conversions that leave no equation behind while a function is traced.

A conversion of a literal becomes another literal, and a conversion to the type
a value already has becomes that value.

JAX source: ``jax/_src/interpreters/partial_eval.py: try_constant_folding,
forwarding_rules``; ``jax/_src/lax/lax.py: _convert_elt_type_folding_rule,
_convert_elt_type_fwd_rule``.
"""

from __future__ import annotations

from typing import Any

from simulator.jaxpr import Literal
from simulator.literals import TypedNDArray
from simulator.ndarray import asarray
from simulator.values import storage


def fold(primitive: Any, atoms: list, params: dict, avals: list) -> Literal | None:
    """The literal that replaces an equation, or None."""
    if primitive.name != "convert_element_type" or not isinstance(atoms[0], Literal):
        return None
    aval = avals[0]
    if aval.dtype.family == "k":
        return None
    value = atoms[0].val
    numbers = value if isinstance(value, TypedNDArray) else asarray(value)
    if numbers.dtype.family == "c" and aval.dtype.family != "c":
        numbers = numbers.real
    if numbers.dtype is not aval.dtype:
        numbers = numbers.astype(aval.dtype)
    return Literal(TypedNDArray.of(numbers, aval.weak_type), aval)


def forwards(primitive: Any, operand: Any, params: dict) -> bool:
    """Whether the result of an equation is its operand, so that it need not be written."""
    return (primitive.name == "convert_element_type"
            and operand.dtype is params["new_dtype"]
            and operand.weak_type == params["weak_type"]
            and operand.dtype.family != "k"
            and params["sharding"] is None)


def literal_number(literal: Literal) -> Any:
    """The Python number that a jaxpr prints for a literal."""
    value = literal.val
    if isinstance(value, (bool, int, float, complex)) and not hasattr(value, "dtype"):
        return value
    return storage(value, literal.aval).item()
