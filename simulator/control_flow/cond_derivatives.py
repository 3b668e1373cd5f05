"""Differentiating a `cond`: each branch gives the residuals of all.

Branches need different things for their linear parts, and a `cond` gives the same
types whichever branch ran. So the residuals are merged by type, and a branch fills
those it does not have with anything.

JAX source: ``jax/_src/lax/control_flow/conditionals.py: _cond_jvp, _cond_linearize,
_merge_branch_residuals, _join_cond_outputs, _join_cond_pe_staged_jaxpr_inputs,
_cond_transpose_fancy, _transpose_jaxpr_fancy``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from simulator.autodiff import jvp, linearize
from simulator.autodiff.accumulate import Accumulator
from simulator.autodiff.backward import backward_pass
from simulator.autodiff.memo import by_jaxpr
from simulator.autodiff.zeros import Zero, instantiate, is_zero, tangent_aval, zero_of
from simulator.control_flow import bodies
from simulator.control_flow.cond import cond_p
from simulator.control_flow.scan import empty_like
from simulator.device_arrays.values import abstractify
from simulator.jaxprs import applying, pruning
from simulator.jaxprs.jaxpr import Jaxpr, Var
from simulator.jaxprs.pruning import where


def _any(rows: Sequence[Sequence[bool]]) -> list[bool]:
    return [any(column) for column in zip(*rows)]


def _jvp(primals: list, tangents: list, *, branches: tuple, **params: Any
         ) -> tuple[list, list]:
    nonzeros = [not is_zero(t) for t in tangents[1:]]
    out_nonzeros = _any([jvp.jvp_jaxpr(b, nonzeros)[1] for b in branches])
    both = tuple(jvp.jvp_jaxpr(b, nonzeros, out_nonzeros)[0] for b in branches)
    outs = cond_p.bind(*primals, *where(tangents[1:], nonzeros), branches=both, **params)
    n = len(out_nonzeros)
    rest = iter(outs[n:])
    return outs[:n], [next(rest) if nz else zero_of(x) for x, nz in zip(outs, out_nonzeros)]


def merged_residuals(per_branch: Sequence[Sequence[Any]]) -> tuple[list, list[list[int]]]:
    """Common places for the residuals of all branches.

    Returns:
      Their types, and for each branch the place of each of its own.
    """
    places: dict[tuple, int] = {}
    indices = []
    for avals in per_branch:
        seen: Counter = Counter()
        own = []
        for aval in avals:
            own.append(places.setdefault((aval, seen[aval]), len(places)))
            seen[aval] += 1
        indices.append(own)
    return [aval for aval, _ in places], indices


def filled_outputs(branch: Jaxpr, avals: list, own: list[int], n_outs: int) -> Jaxpr:
    """The branch with results for all residuals; it has those at the places `own`."""
    def f_aug(*args: Any) -> list:
        outs = applying.call(branch, args)
        every = [empty_like(a) for a in avals]
        for place, value in zip(own, outs[n_outs:]):
            every[place] = value
        return [*outs[:n_outs], *every]

    return bodies.trace_flat(f_aug, branch.in_avals, branch.debug_info)


def filled_inputs(branches: Sequence[Jaxpr], avals: list, indices: list[list[int]]) -> list[Jaxpr]:
    """Branches that take all residuals, their own at their places."""
    unused = [Var(a) for a in avals]
    filled = []
    for branch, own in zip(branches, indices):
        every = list(unused)
        for place, var in zip(own, branch.invars):
            every[place] = var
        filled.append(branch.replace(invars=[*every, *branch.invars[len(own):]]))
    return filled


def _linearize(is_vjp: bool, nonzeros: list[bool], primals: list, params: dict
               ) -> linearize.Linear:
    branches: tuple = params["branches"]
    nonzeros = nonzeros[1:]
    n = len(branches[0].outvars)
    out_nonzeros = _any([
        linearize.linearize_jaxpr(b, nonzeros, False, False, is_vjp).nonzeros for b in branches])
    found = [linearize.linearize_jaxpr(b, nonzeros, out_nonzeros, False, is_vjp) for b in branches]
    avals, indices = merged_residuals([f.forward.out_avals[n:] for f in found])
    forward = tuple(filled_outputs(f.forward, avals, own, n) for f, own in zip(found, indices))
    tangent = tuple(filled_inputs([f.tangent for f in found], avals, indices))
    outs = cond_p.bind(*primals, **{**params, "branches": forward})

    def apply(residuals: list, tangents: list) -> list:
        index, *rest = residuals
        given = [t for t in tangents[1:] if not is_zero(t)]
        made = iter(cond_p.bind(index, *rest, *given, **{**params, "branches": tangent}))
        return [next(made) if nz else Zero(tangent_aval(v.aval))
                for v, nz in zip(branches[-1].outvars, out_nonzeros)]
    return linearize.Linear(outs[:n], out_nonzeros, [primals[0], *outs[n:]], apply)


def _transpose(cotangents: list, index: Any, *args: Any, branches: tuple, **params: Any) -> None:
    # The types are those of the operands, which may be less weak than the branch's.
    asked = tuple(x.aval if isinstance(x, Accumulator) else None for x in args)
    zero_avals = tuple(c.aval if is_zero(c) else None for c in cotangents)
    given = [*[x for x in args if not isinstance(x, Accumulator)],
             *[c for c in cotangents if not is_zero(c)]]
    avals = tuple(map(abstractify, given))
    accumulators = [x for x in args if isinstance(x, Accumulator)]
    found = [_transposed(b, asked, zero_avals, avals, None)[1] for b in branches]
    nonzeros = tuple(_any(found))
    transposed = tuple(_transposed(b, asked, zero_avals, avals, (nonzeros, i))[0]
                       for i, b in enumerate(branches))
    outs = iter(cond_p.bind(index, *given, branches=transposed, **params))
    for x, nz in zip(accumulators, nonzeros):
        if nz:
            x.add(next(outs))


@by_jaxpr
def _transposed(jaxpr: Jaxpr, asked: tuple, zero_avals: tuple, avals: tuple, wanted: Any
                ) -> tuple[Jaxpr, list[bool]]:
    # `wanted`: which cotangents are given in any case, and the number of the branch.
    said: list[bool] = []

    def transposed(*given: Any) -> list:
        rest = iter(given)
        args = [next(rest) if a is None else Accumulator(a) for a in asked]
        dots = [x for x in args if isinstance(x, Accumulator)]
        backward_pass(jaxpr, args, [next(rest) if z is None else Zero(z) for z in zero_avals])
        keep = wanted[0] if wanted else [False] * len(dots)
        values = [instantiate(x.value) if k else x.value for x, k in zip(dots, keep)]
        said.extend(not is_zero(v) for v in values)
        return [v for v in values if not is_zero(v)]

    traced = bodies.trace_flat(transposed, avals, pruning.unnamed(jaxpr.debug_info))
    return traced, said


cond_p.jvp = _jvp
cond_p.linearize = _linearize
cond_p.accumulate = _transpose
