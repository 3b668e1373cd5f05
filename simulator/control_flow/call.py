"""``eval_jaxpr``: a finished jaxpr as one equation of another.

Loops that are lowered become a `while` whose body calls the program's body so.

JAX source: ``jax/_src/core.py: eval_jaxpr_p``; ``jax/_src/lax/eval_jaxpr.py``;
``jax/_src/interpreters/partial_eval.py: dce_jaxpr_closed_call_rule``.
"""

from __future__ import annotations

from typing import Any

from simulator.jaxprs import evaluate, pruning
from simulator.jaxprs.jaxpr import Eqn, Jaxpr
from simulator.primitives.core import Primitive


def _eager(*args: Any, call_jaxpr: Jaxpr) -> list:
    from simulator.jaxprs.applying import eval_jaxpr
    return eval_jaxpr(call_jaxpr, args)


def _dce(eqn: Eqn, used: list[bool]) -> Eqn | None:
    if not any(used) and not eqn.effects:
        return None
    jaxpr, used_ins = pruning.dce(eqn.params["call_jaxpr"], used)
    return Eqn([v for v, u in zip(eqn.invars, used_ins) if u],
               [v for v, u in zip(eqn.outvars, used) if u], eqn.primitive,
               {"call_jaxpr": jaxpr}, jaxpr.effects, eqn.context)


eval_jaxpr_p = Primitive(
    "eval_jaxpr", abstract=lambda *avals, call_jaxpr: call_jaxpr.out_avals,
    impl=lambda *values, call_jaxpr: evaluate.run(call_jaxpr, values),
    multiple_results=True, effects=lambda params: params["call_jaxpr"].effects)
eval_jaxpr_p.eager = _eager
eval_jaxpr_p.dce_rule = _dce
