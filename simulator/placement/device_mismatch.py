"""Two lists of devices that contradict each other, and the error that says so.

JAX source: `jax/_src/stages.py: _device_assignment_mismatch_error`.
"""

from __future__ import annotations

from typing import Any

from simulator.jaxprs.jaxpr import Jaxpr
from simulator.named_tuples import NamedTuple
from simulator.placement.inside import INSIDE, intermediate
from simulator.placement.sharding_types import UNSPECIFIED
from simulator.running import source


class Side(NamedTuple):
    """One of two device lists that contradict each other.

    devices: the list, or the size of an abstract mesh. kind: ``argument``,
    ``explicit output sharding``, ``context mesh``, or a primitive's name.
    place: where an equation inside was written, None for other kinds."""

    devices: Any
    kind: str
    place: str | None = None

    def where(self) -> str:
        """The devices as the message names them."""
        if isinstance(self.devices, int):
            return f"as AbstractMesh of size {self.devices}"
        return f"with device ids {[d.id for d in self.devices]} on platform CPU"

    def text(self) -> str:
        """One side of the message: what it is, its devices, its place in the program."""
        if self.kind == "context mesh":
            return f" jit's context mesh {self.where()}"
        kind = self.kind if self.kind.startswith("explicit") else (
            "ARG_SHARDING" if self.kind == "argument" else f"{self.kind} inside jit")
        at = "" if self.place is None else f" at {self.place}"
        return f" {kind} {self.where()}{at}"


class DeviceMismatch(Exception):
    """Arguments, results or constraints on different devices; `first` and `second` say which."""

    def __init__(self, first: Side, second: Side):
        super().__init__(first, second)
        self.first, self.second = first, second

    def located(self, jaxpr: Jaxpr) -> DeviceMismatch:
        """The same, with the equations of `jaxpr` that are to blame."""
        def find(side: Side) -> Side:
            for s, eqn in intermediate(jaxpr):
                if side.kind == INSIDE and s is not UNSPECIFIED and s.devices == side.devices:
                    place = eqn.context.place if eqn.context else ()
                    with source.pretending(place):
                        return Side(side.devices, eqn.primitive.name, source.callsite())
            return side
        return DeviceMismatch(find(self.first), find(self.second))


def mismatch_error(fun_name: str, mismatch: DeviceMismatch, placed: list) -> ValueError:
    """The error that the user sees.

    Args:
      placed: [(argument name, its devices or None, its type), …].
    """
    found = []
    for side in (mismatch.first, mismatch.second):
        for name, devices, aval in placed:
            if side.kind == "argument" and devices == side.devices:
                found.append(f"argument {name} of {fun_name} with shape {aval.str_short()} and "
                             f"{side.where()}")
                break
    if len(found) == 2:
        text = f" Got {found[0]} and {found[1]}"
    elif found:
        left = mismatch.second if mismatch.first.kind == "argument" else mismatch.first
        text = f" Got {found[0]} and{left.text()}"
    else:
        text = f" Got{mismatch.first.text()} and{mismatch.second.text()}"
    return ValueError(f"Received incompatible devices for jitted computation.{text}")
