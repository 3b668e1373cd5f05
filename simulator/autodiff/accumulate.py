"""Where cotangents add up while a linear jaxpr is transposed.

JAX source: ``jax/_src/interpreters/ad.py: GradAccum, ValAccum, NullAccum, ct_check``.

Simplified: there are no gradients accumulated into refs (``with_refs``).
"""

from __future__ import annotations

from typing import Any

from simulator.autodiff.zeros import Zero, add, is_zero, tangent_aval
from simulator.device_arrays.values import abstractify
from simulator.types.avals import ShapedArray


class Accumulator:
    """Collects the cotangent of one value.

    Args:
      aval: its type.
      value: the sum so far.
    """

    def __init__(self, aval: ShapedArray, value: Any = None):
        self.aval = tangent_aval(aval)
        self.value = Zero(self.aval) if value is None else value

    def add(self, cotangent: Any) -> None:
        """Add to the sum; None adds nothing. ValueError for another shape."""
        if cotangent is None:
            return
        aval = cotangent.aval if is_zero(cotangent) else abstractify(cotangent)
        if aval.shape != self.aval.shape:
            raise ValueError(f"Expected cotangent type {self.aval.str_short()} but got "
                             f"{aval.str_short()}")
        self.value = add(self.value, cotangent)

    def __repr__(self) -> str:
        return f"ValAccum({self.aval})"


class Unknown:
    """In a transpose rule, stands for an argument whose cotangent is asked for."""

    __slots__ = ("aval",)

    def __init__(self, aval: ShapedArray):
        self.aval = aval

    def __repr__(self) -> str:
        return f"UndefinedPrimal({self.aval})"


def is_unknown(x: Any) -> bool:
    """Whether a transpose rule is asked for the cotangent of this argument."""
    return type(x) is Unknown
