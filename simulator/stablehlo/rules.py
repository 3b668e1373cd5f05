"""The table of rules: name -> (function, equation, operand names) -> names of the results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simulator.jaxprs.jaxpr import Eqn
from simulator.types.avals import ShapedArray

RULES: dict[str, Callable[..., list[str]]] = {}


def rule(*names: str) -> Callable:
    """Decorator: the rule of these primitives."""
    def register(function: Callable) -> Callable:
        RULES.update(dict.fromkeys(names, function))
        return function
    return register


def result(eqn: Eqn) -> ShapedArray:
    """The type of the first result."""
    return eqn.outvars[0].aval


def numbers(values: Sequence[Any]) -> str:
    """``[1, 2]``"""
    return f"[{', '.join(map(str, map(int, values)))}]"
