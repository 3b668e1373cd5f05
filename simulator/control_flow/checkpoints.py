"""Loops and branches under ``jax.checkpoint``: what is saved of them, what runs again.

The staged equation is the whole loop or branch once more, given what was saved. Of a
scan, rows are saved, and what does not depend on the turn is computed before it; of a
while nothing can be saved.

JAX source: ``jax/_src/lax/control_flow/loops.py: _scan_partial_eval_custom,
_while_partial_eval_custom``; ``jax/_src/lax/control_flow/conditionals.py:
_cond_partial_eval_custom``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.autodiff import partial_eval
from simulator.autodiff.policies import nothing_saveable
from simulator.autodiff.splitting import SplitEqn, split
from simulator.control_flow import bodies
from simulator.control_flow.call import eval_jaxpr_p
from simulator.control_flow.cond import cond_p, joined_effects
from simulator.control_flow.cond_derivatives import (
    filled_inputs,
    filled_outputs,
    merged_residuals,
)
from simulator.control_flow.flat_tree import Group, nones
from simulator.control_flow.scan import parts, scan_p, stacked
from simulator.control_flow.scan_derivatives import fixpoint
from simulator.control_flow.while_loop import while_p
from simulator.jaxprs import applying, pruning
from simulator.jaxprs.jaxpr import Eqn, Var
from simulator.jaxprs.pruning import split_where


def _missing(eqn: Eqn, available: list[bool]) -> list[Var]:
    return [v for v, a in zip(eqn.invars, available) if isinstance(v, Var) and not a]


def _scan(eqn: Eqn, unknown: list[bool], available: list[bool], policy: Callable) -> SplitEqn:
    p = eqn.params
    jaxpr, ft_in, ft_out = p["jaxpr"], p["ft_in"], p["ft_out"]
    const_uk, init_uk, xs_uk = parts(ft_in, unknown)
    n_ins, n_carry = len(jaxpr.invars), len(init_uk)
    n_ys = len(jaxpr.outvars) - n_carry

    def answer(carry: list) -> tuple:
        found = split(jaxpr, [*const_uk, *carry, *xs_uk], [True] * n_ins, policy,
                      carry + [False] * n_ys, True)
        return found, found.unknown[:n_carry]

    carry_uk, found = fixpoint(init_uk, answer)
    unknown = [*const_uk, *carry_uk, *xs_uk]
    avals = [v.aval for v in found.staged.invars[:found.num_res]]
    staged = pruning.move_to_back(found.staged, [True] * found.num_res + [False] * n_ins)
    n_consts = const_uk.count(False)
    n_known = found.unknown.count(False)
    hoisted = partial_eval.unzip(
        found.known, (False,) * n_consts + (True,) * (len(found.known.invars) - n_consts),
        (True,) * n_known + (False,) * found.num_res, False)
    by_row = list(hoisted.out_unknown[n_known:])
    # What was computed before the loop comes first, as a constant; rows stay behind.
    staged = pruning.move_to_back(staged, [True] * n_ins + by_row)
    fixed_avals, row_avals = split_where(avals, by_row)
    fixed = [Var(a) for a in fixed_avals]
    rows = [Var(stacked(a, p["length"])) for a in row_avals]
    known_ins = split_where(eqn.invars, unknown)[0]
    _, carry_part, xs_part = ft_in.filter([not u for u in unknown]).unpack()
    _, ys_part = ft_out.filter([not u for u in found.unknown]).unpack()

    def known(*ins: Any) -> list:
        outs = applying.call(hoisted.known, ins[:n_consts])
        ready, consts = outs[:len(fixed)], outs[len(fixed):]
        made = scan_p.bind(
            *consts, *ins[n_consts:], **dict(
                p, jaxpr=hoisted.unknown, ft_in=Group(nones(len(consts)), carry_part, xs_part),
                ft_out=Group(carry_part, Group(ys_part, nones(sum(by_row))))))
        return [*ready, *made]

    call_jaxpr = bodies.trace_flat(known, [v.aval for v in known_ins], hoisted.known.debug_info)
    consts_part, carry_part_all, xs_part_all = ft_in.unpack()
    staged_params = dict(p, jaxpr=staged, ft_in=Group(
        Group(nones(len(fixed)), consts_part), carry_part_all,
        Group(xs_part_all, nones(len(rows)))))
    known_outs = split_where(eqn.outvars, found.unknown)[0]
    return SplitEqn(
        Eqn(known_ins, [*fixed, *known_outs, *rows], eval_jaxpr_p, {"call_jaxpr": call_jaxpr},
            call_jaxpr.effects, eqn.context),
        Eqn([*fixed, *eqn.invars, *rows], list(eqn.outvars), scan_p, staged_params,
            staged.effects, eqn.context),
        found.unknown, found.available, [*_missing(eqn, available), *fixed, *rows])


def _while(eqn: Eqn, unknown: list[bool], available: list[bool], policy: Callable) -> SplitEqn:
    p = eqn.params
    n_cond, n_body = p["cond_nconsts"], p["body_nconsts"]
    cond_uk, body_uk = unknown[:n_cond], unknown[n_cond:n_cond + n_body]

    def answer(carry: list) -> tuple:
        found = split(p["body_jaxpr"], [*body_uk, *carry], [True] * len(p["body_jaxpr"].invars),
                      nothing_saveable, carry, True)
        return found, found.unknown

    carry_uk, body = fixpoint(unknown[n_cond + n_body:], answer)
    condition = split(p["cond_jaxpr"], [*cond_uk, *carry_uk],
                      [True] * len(p["cond_jaxpr"].invars), nothing_saveable, None, True)
    missing = _missing(eqn, available)
    every = [True] * len(carry_uk)
    if condition.unknown[0]:
        return SplitEqn(None, eqn, every, every, missing)
    known = dict(cond_jaxpr=condition.known, body_jaxpr=body.known,
                 cond_nconsts=cond_uk.count(False), body_nconsts=body_uk.count(False))
    return SplitEqn(
        Eqn(split_where(eqn.invars, [*cond_uk, *body_uk, *carry_uk])[0],
            split_where(eqn.outvars, carry_uk)[0], while_p, known,
            body.known.effects | condition.known.effects, eqn.context),
        eqn, carry_uk, every, missing)


def _cond(eqn: Eqn, unknown: list[bool], available: list[bool], policy: Callable) -> SplitEqn:
    branches = eqn.params["branches"]
    n_ins, n_outs = len(branches[0].invars), len(branches[0].outvars)
    missing = _missing(eqn, available)
    if unknown[0]:
        return SplitEqn(None, eqn, [True] * n_outs, [True] * n_outs, missing)
    have = [True] * n_ins
    first = [split(b, unknown[1:], have, policy, None, True).unknown for b in branches]
    out_unknown = [any(column) for column in zip(*first)]
    found = [split(b, unknown[1:], have, policy, out_unknown, True) for b in branches]
    avals, indices = merged_residuals([
        [v.aval for v in f.staged.invars[:f.num_res]] for f in found])
    n_known = out_unknown.count(False)
    known = tuple(filled_outputs(f.known, avals, own, n_known) for f, own in zip(found, indices))
    staged = tuple(filled_inputs([f.staged for f in found], avals, indices))
    made = [Var(a) for a in avals]
    return SplitEqn(
        Eqn(split_where(eqn.invars, unknown)[0],
            [*split_where(eqn.outvars, out_unknown)[0], *made], cond_p,
            {**eqn.params, "branches": known},
            joined_effects(known), eqn.context),
        Eqn([eqn.invars[0], *made, *eqn.invars[1:]], list(eqn.outvars), cond_p,
            {**eqn.params, "branches": staged}, joined_effects(staged), eqn.context),
        out_unknown, found[0].available, [*missing, *made])


scan_p.split = _scan
while_p.split = _while
cond_p.split = _cond
