"""The `cond` primitive: one of several branches, chosen by an index.

JAX source: ``jax/_src/lax/control_flow/conditionals.py: cond_p,
_cond_abstract_eval, _cond_dce_rule, _cond_lowering``.
"""

from __future__ import annotations

from simulator.control_flow import running
from simulator.jaxprs import pruning
from simulator.jaxprs.jaxpr import Eqn, Jaxpr
from simulator.ndarrays.ndarray import NDArray
from simulator.primitives.core import Primitive
from simulator.references.ref_types import of_bodies


def joined_effects(branches: tuple[Jaxpr, ...]) -> frozenset:
    """The effects of all branches: any of them may run."""
    return frozenset().union(*[b.effects for b in branches])


def _impl(index: NDArray, *values: NDArray, branches: tuple[Jaxpr, ...]) -> list[NDArray]:
    def compute(index: NDArray, *given: NDArray) -> list[list]:
        chosen = min(max(index.item(), 0), len(branches) - 1)
        outs = running.step(branches[chosen], given, running.Budget("jax.lax.cond"))
        return [o.cell.force() for o in outs]

    return running.results(branches[0].out_avals, compute, [index, *values], branches)


def _dce(eqn: Eqn, used: list[bool]) -> Eqn | None:
    if not any(used) and not eqn.effects:
        return None
    branches = eqn.params["branches"]
    needed = [any(column) for column in zip(*[pruning.dce(b, used)[1] for b in branches])]
    pruned = tuple(pruning.dce(b, used, needed)[0] for b in branches)
    ins = [v for v, u in zip(eqn.invars, [True, *needed]) if u]
    params = dict(eqn.params, branches=pruned)
    return Eqn(ins, [v for v, u in zip(eqn.outvars, used) if u], eqn.primitive, params,
               of_bodies(params, ins), eqn.context)


cond_p = Primitive("cond", abstract=lambda *avals, branches: branches[0].out_avals, impl=_impl,
                   multiple_results=True,
                   effects=lambda params: joined_effects(params["branches"]))
cond_p.dce_rule = _dce
