"""Loops and branches of which only a part is known.

Inside a JVP rule the primals are known and the tangents are not; a loop over both is
taken apart into one that is run and one that is written down.

JAX source: ``jax/_src/lax/control_flow/loops.py: _scan_partial_eval``;
``jax/_src/lax/control_flow/conditionals.py: _cond_partial_eval``.
"""

from __future__ import annotations

from simulator.autodiff import partial_eval
from simulator.control_flow.cond import cond_p, joined_effects
from simulator.control_flow.cond_derivatives import (
    filled_inputs,
    filled_outputs,
    merged_residuals,
)
from simulator.control_flow.flat_tree import Group, nones
from simulator.control_flow.scan import parts, scan_p, stacked
from simulator.control_flow.scan_derivatives import by_row, fixpoint, hoist
from simulator.jaxprs import pruning
from simulator.jaxprs.pruning import merge, split_where, substitute, where
from simulator.ndarrays.ndarray import NDArray


def _scan(trace: partial_eval.JaxprTrace, tracers: list, params: dict) -> list:
    jaxpr, ft_in, ft_out = (params[k] for k in ("jaxpr", "ft_in", "ft_out"))
    rest = {k: params[k] for k in ("reverse", "length", "unroll")}
    const_uk, init_uk, xs_uk = parts(ft_in, [not t.known for t in tracers])
    n_carry = len(init_uk)
    n_ys = len(jaxpr.outvars) - n_carry
    const_ok, _, xs_ok = parts(ft_in, [not isinstance(t.value, NDArray) for t in tracers])
    allow = (*const_ok, *[False] * n_carry, *xs_ok)

    def answer(carry: list) -> tuple:
        found = partial_eval.unzip(jaxpr, (*const_uk, *carry, *xs_uk),
                                   (*carry, *[False] * n_ys), allow)
        return found, list(found.out_unknown[:n_carry])

    carry_uk, found = fixpoint(init_uk, answer)
    unknown = [*const_uk, *carry_uk, *xs_uk]
    known_outs = [not u for u in found.out_unknown]
    tracers = [trace.unknown(t) if u else t for t, u in zip(tracers, unknown)]
    known_ins = [t.value for t in tracers if t.known]
    n_consts, n_known_carry = const_uk.count(False), carry_uk.count(False)
    known, consts, hoisted, ready = hoist(found.known, known_ins[:n_consts], found.num_res)
    changing = by_row(hoisted, found.forwards, len(jaxpr.consts) + n_consts + n_known_carry)
    n_unknown = len(found.unknown.invars) - len(changing)
    later = pruning.move_to_back(found.unknown, changing + [False] * n_unknown)
    outs: list = []
    if known.outvars or known.effects:
        _, carry_part, xs_part = ft_in.filter([not u for u in unknown]).unpack()
        _, ys_part = ft_out.filter(known_outs).unpack()
        outs = scan_p.bind(
            *consts, *known_ins[n_consts:], jaxpr=known, **rest,
            ft_in=Group(nones(len(consts)), carry_part, xs_part),
            ft_out=Group(carry_part, Group(ys_part, nones(hoisted.count(False)))))
    n_known = sum(known_outs)
    residuals = substitute(found.forwards, [*jaxpr.consts, *known_ins],
                           merge(hoisted, outs[n_known:], ready))
    fixed, rows = split_where([trace.unknown(r) for r in residuals], changing)
    consts_part, carry_part, xs_part = ft_in.filter(unknown).unpack()
    ft_out_later = ft_out.filter(found.out_unknown)
    carry_avals, y_avals = parts(ft_out_later, later.out_avals)
    made = trace.emit(
        scan_p, [*fixed, *where(tracers, unknown), *rows],
        [*carry_avals, *[stacked(a, rest["length"]) for a in y_avals]],
        dict(rest, jaxpr=later, ft_out=ft_out_later,
             ft_in=Group(Group(nones(len(fixed)), consts_part), carry_part,
                         Group(xs_part, nones(len(rows))))), later.effects)
    return merge(found.out_unknown, outs[:n_known], made)


def _cond(trace: partial_eval.JaxprTrace, tracers: list, params: dict) -> list:
    branches = params["branches"]
    if not tracers[0].known:
        return trace.default(cond_p, tracers, params)
    unknown = tuple(not t.known for t in tracers[1:])
    first = [partial_eval.unzip(b, unknown, (), False).out_unknown for b in branches]
    out_unknown = tuple(any(column) for column in zip(*first))
    found = [partial_eval.unzip(b, unknown, out_unknown, False) for b in branches]
    n = out_unknown.count(False)
    avals, indices = merged_residuals([f.known.out_avals[n:] for f in found])
    known = tuple(filled_outputs(f.known, avals, own, n) for f, own in zip(found, indices))
    later = tuple(filled_inputs([f.unknown for f in found], avals, indices))
    outs = cond_p.bind(*[t.value for t in tracers if t.known], **{**params, "branches": known})
    ins = [trace.unknown(tracers[0]), *map(trace.unknown, outs[n:]),
           *[trace.unknown(t) for t in where(tracers[1:], unknown)]]
    made = trace.emit(cond_p, ins, later[0].out_avals, {**params, "branches": later}, joined_effects(later))
    return merge(out_unknown, outs[:n], made)


scan_p.partial_eval = _scan
cond_p.partial_eval = _cond
