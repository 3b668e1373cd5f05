"""Reverse mode, second half: a linear jaxpr run backwards.

The equations are walked from the last to the first; each hands the cotangent of its
results on to its arguments, by its transpose rule. Equations that do not depend on the
arguments asked for are computed forwards first.

JAX source: ``jax/_src/interpreters/ad.py: backward_pass3, get_primitive_transpose``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simulator.autodiff.accumulate import Accumulator, Unknown
from simulator.autodiff.zeros import is_zero
from simulator.errors import OutOfScope
from simulator.jaxprs.eqn_context import as_traced
from simulator.jaxprs.jaxpr import Jaxpr, Literal


def backward_pass(jaxpr: Jaxpr, args: Sequence[Any], cotangents: Sequence[Any]) -> None:
    """Fill the accumulators among `args`.

    Args:
      jaxpr: linear in the arguments that are accumulators.
      args: one value or `Accumulator` per parameter.
      cotangents: one per result, arrays or `Zero`.

    Errors: OutOfScope for an equation without a transpose rule.
    """
    if all(map(is_zero, cotangents)) and not jaxpr.effects:
        return
    env: dict[Any, Any] = dict(zip(jaxpr.constvars, jaxpr.consts))
    env.update(zip(jaxpr.invars, args))

    def read(atom: Any) -> Any:
        return atom.val if isinstance(atom, Literal) else env[atom]

    linear = []
    for eqn in jaxpr.eqns:
        if any(isinstance(read(a), Accumulator) for a in eqn.invars):
            env.update((v, Accumulator(v.aval)) for v in eqn.outvars)
            linear.append(eqn)
            continue
        with as_traced(eqn.context):
            outs = eqn.primitive.bind(*map(read, eqn.invars),
                                      **eqn.primitive.bind_params(eqn.params))
        env.update(zip(eqn.outvars, outs if eqn.primitive.multiple_results else [outs]))
    for out, cotangent in zip(map(read, jaxpr.outvars), cotangents):
        if isinstance(out, Accumulator):
            out.add(cotangent)
    for eqn in reversed(linear):
        with as_traced(eqn.context):
            _transpose(eqn, [env.pop(v).value for v in eqn.outvars],
                       [read(a) for a in eqn.invars])


def _transpose(eqn: Any, outs: list, ins: list) -> None:
    primitive = eqn.primitive
    given: Any = outs if primitive.multiple_results else outs[0]
    if primitive.accumulate is not None:
        primitive.accumulate(given, *ins, **eqn.params)
        return
    if primitive.transpose is None:
        raise OutOfScope(f"the transpose of {primitive.name}")
    asked = [Unknown(x.aval) if isinstance(x, Accumulator) else x for x in ins]
    for x, cotangent in zip(ins, primitive.transpose(given, *asked, **eqn.params)):
        if isinstance(x, Accumulator):
            x.add(cotangent)
