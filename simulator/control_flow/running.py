"""The numbers of loops and branches: their bodies, evaluated step by step.

A result is computed when somebody looks at it, as everywhere in the model; a body
that calls back into Python is run at once. A loop that would take pure Python too
long is refused when its numbers are wanted.

JAX source: ``jax/_src/lax/control_flow/loops.py: _scan_impl, _while_lowering``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from simulator.configuration.axis_env import NamedAxisEffect
from simulator.errors import OutOfScope
from simulator.jaxprs import evaluate
from simulator.jaxprs.jaxpr import Jaxpr, subjaxprs
from simulator.ndarrays.ndarray import NDArray
from simulator.primitives.standard import Spec, shared_results

# About so many operations take pure Python a few seconds.
MAX_OPERATIONS = 100_000

_PYTHON = ("pure_callback", "io_callback", "debug_callback", "debug_print")


def runs_python(jaxpr: Jaxpr) -> bool:
    """Whether evaluating a jaxpr is seen by the program: somewhere it calls back."""
    return any(any(not isinstance(f, NamedAxisEffect) for f in e.effects)
               or e.primitive.name in _PYTHON or any(map(runs_python, subjaxprs(e.params)))
               for e in jaxpr.eqns)


class Budget:
    """Counts operations. OutOfScope, with the name of the loop, when they are too many.

    Args:
      what: the name. turns, body: how often the body runs, where that is known before.
    """

    def __init__(self, what: str, turns: int = 0, body: Jaxpr | None = None):
        self.what, self.left = what, MAX_OPERATIONS
        if body is not None:
            self.spend(body, turns)
            self.left = MAX_OPERATIONS

    def spend(self, body: Jaxpr, turns: int = 1) -> None:
        """Take off the equations of so many turns of `body`. OutOfScope when nothing is left."""
        self.left -= turns * (1 + len(body.eqns))
        if self.left < 0:
            raise OutOfScope(f"the numbers of a {self.what} of so many steps",
                             "look at shapes and caches only, or let it take fewer steps")


def results(avals: Sequence[Any], compute: Callable, values: Sequence[NDArray],
            bodies: Sequence[Jaxpr]) -> list[NDArray]:
    """Results of `compute`, now when the bodies call back, else when they are looked at.

    Args:
      avals: types of the results.
      compute: ``(*NDArrays) -> list of flat lists``.
      values: what it is given.
    """
    specs = [Spec(a.shape, a.dtype) for a in avals]
    if any(map(runs_python, bodies)):
        return [NDArray(s.shape, s.dtype, data) for s, data in zip(specs, compute(*values))]
    shapes = [(v.shape, v.dtype) for v in values]

    def later(*lists: list) -> list[list]:
        return compute(*[NDArray(shape, dtype, data)
                         for (shape, dtype), data in zip(shapes, lists)])
    return shared_results(specs, later, values) if specs else []


def step(body: Jaxpr, values: Sequence[NDArray], budget: Budget) -> list[NDArray]:
    """One turn of a body, its results computed."""
    budget.spend(body)
    outs = evaluate.run(body, values)
    for out in outs:
        out.cell.force()
    return outs


def row(values: NDArray, i: int) -> NDArray:
    """Entry `i` along the first axis."""
    shape = values.shape[1:]
    size = math.prod(shape)
    return NDArray(shape, values.dtype, values.cell.force()[i * size:(i + 1) * size])
