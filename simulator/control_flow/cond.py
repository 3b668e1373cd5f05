"""The `cond` primitive: one of several branches, chosen by an index.

JAX source: ``jax/_src/lax/control_flow/conditionals.py: cond_p,
_cond_abstract_eval, _cond_dce_rule, _cond_lowering``.
"""

from __future__ import annotations

from typing import Any

from simulator.control_flow import running
from simulator.jaxprs import lower_fun, pruning
from simulator.jaxprs.jaxpr import Eqn, Jaxpr
from simulator.ndarrays.ndarray import NDArray
from simulator.ndarrays.ndarray_make import asarray
from simulator.primitives.core import Primitive
from simulator.references.ref_types import of_bodies
from simulator.types.avals import ShapedArray


def joined_effects(branches: tuple[Jaxpr, ...]) -> frozenset:
    """The effects of all branches: any of them may run."""
    return frozenset().union(*[b.effects for b in branches])


def _impl(index: NDArray, *values: NDArray, branches: tuple[Jaxpr, ...], **params: Any
          ) -> list[NDArray]:
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


cond_p = Primitive("cond", abstract=lambda *avals, branches, **params: branches[0].out_avals, impl=_impl,
                   multiple_results=True,
                   effects=lambda params: joined_effects(params["branches"]))
cond_p.dce_rule = _dce


# --- branches for platforms ----------------------------------------------------

def of_cpu(platforms: tuple) -> int:
    """The number of the branch for the CPU among those for some platforms each.

    Errors: NotImplementedError when there is none.
    """
    for i, names in enumerate(platforms):
        if names is None or "cpu" in names:
            return i
    known = "\n".join(f"    platforms={names}" for names in platforms)
    raise NotImplementedError(
        f"MLIR translation rule for primitive 'platform_index(platforms={platforms})' not found "
        f"for platform cpu\n{known}")


platform_index_p = Primitive(
    "platform_index", abstract=lambda *, platforms: ShapedArray((), "int32"),
    impl=lambda *, platforms: asarray(of_cpu(platforms), "int32"))


@lower_fun.rule("cond")
def _lower(eqn: Eqn) -> tuple[Jaxpr, ...]:
    branches, platforms = eqn.params["branches"], eqn.params.get("branches_platforms")
    return branches if platforms is None else (branches[of_cpu(platforms)],)


@lower_fun.rule("platform_index")
def _lower_index(eqn: Eqn) -> tuple:
    of_cpu(eqn.params["platforms"])
    return ()
