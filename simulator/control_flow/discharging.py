"""Loops and branches that use references, turned into ones that carry arrays.

What a body does to a reference becomes one more carry of the loop, or one more result
of every branch.

JAX source: ``jax/_src/lax/control_flow/loops.py: _scan_state_discharge_rule,
_while_discharge_rule``; ``jax/_src/lax/control_flow/conditionals.py:
_cond_state_discharge_rule``.
"""

from __future__ import annotations

from typing import Any

from simulator.control_flow import bodies
from simulator.control_flow.call import eval_jaxpr_p
from simulator.control_flow.cond import cond_p
from simulator.control_flow.flat_tree import Group, nones
from simulator.control_flow.scan import parts, row_type, scan_p
from simulator.control_flow.while_loop import while_p
from simulator.device_arrays.values import abstractify
from simulator.jaxprs import applying, pruning
from simulator.jaxprs.jaxpr import Eqn, Jaxpr
from simulator.jaxprs.pruning import merge, split_where
from simulator.references import discharge
from simulator.references.ref_types import RefEffect, is_ref


def _refs(jaxpr: Jaxpr) -> list[bool]:
    return [is_ref(v.aval) for v in jaxpr.invars]


def _after(eqn: Eqn, start: int, values: list) -> dict:
    """The last values of the references among the operands from `start` on."""
    places = [i for i, a in enumerate(eqn.invars) if i >= start and is_ref(a.aval)]
    return dict(zip(places, values))


def _scan(eqn: Eqn, values: list) -> tuple[list, dict]:
    p = eqn.params
    jaxpr, length, reverse = p["jaxpr"], p["length"], p["reverse"]
    const_refs, carry_refs, xs_refs = parts(p["ft_in"], _refs(jaxpr))
    if any(carry_refs) or any(xs_refs):
        raise discharge.refused("scan over a Ref")
    inner = discharge.state(jaxpr)
    n_pure, n_refs = const_refs.count(False), const_refs.count(True)
    n_carry, n_ys = map(len, p["ft_out"].unpack())

    def body(*args: Any) -> list:
        consts, i_ = args[:n_pure], args[n_pure]
        refs = args[n_pure + 1:n_pure + 1 + n_refs]
        rest = args[n_pure + 1 + n_refs:]
        if reverse:
            _ = length - i_ - 1
        outs = eval_jaxpr_p.bind(*merge(const_refs, consts, refs), *rest, call_jaxpr=inner)
        carry, ys = outs[:n_carry], outs[n_carry:n_carry + n_ys]
        return [i_ + 1, *outs[n_carry + n_ys:], *carry, *ys]

    consts, carry, xs = parts(p["ft_in"], values)
    pure, refs = split_where(consts, const_refs)
    avals = [*map(abstractify, (*pure, 0, *refs, *carry)), *[row_type(abstractify(x)) for x in xs]]
    info = jaxpr.debug_info._replace(arg_names=_names(jaxpr, p["ft_in"], const_refs),
                                     result_paths=None)
    new = bodies.trace_flat(body, avals, info)
    group = Group(nones(1 + n_refs), p["ft_in"].unpack()[1], nones(0))
    outs = scan_p.bind(
        *pure, 0, *refs, *carry, *xs, jaxpr=new, length=length, unroll=p["unroll"],
        reverse=reverse, ft_in=Group(nones(n_pure), group, nones(len(xs))),
        ft_out=Group(group, p["ft_out"].unpack()[1]))
    return outs[1 + n_refs:], _after(eqn, 0, outs[1:1 + n_refs])


def _names(jaxpr: Jaxpr, ft_in: Group, const_refs: list[bool]) -> tuple | None:
    # A count of the turns goes before the references.
    if jaxpr.debug_info.arg_names is None:
        return None
    consts, carry, xs = parts(ft_in, jaxpr.debug_info.arg_names)
    pure, refs = split_where(consts, const_refs)
    return (*pure, "iter", *refs, *carry, *xs)


def _while(eqn: Eqn, values: list) -> tuple[list, dict]:
    p = eqn.params
    cond_jaxpr, body_jaxpr = p["cond_jaxpr"], p["body_jaxpr"]
    n_cond, n_body = p["cond_nconsts"], p["body_nconsts"]
    cond_refs, body_refs = _refs(cond_jaxpr)[:n_cond], _refs(body_jaxpr)[:n_body]
    writes = any(isinstance(e, RefEffect) and e.name == "Write" for e in cond_jaxpr.effects)
    carry = values[n_cond + n_body:]
    cond_pure, cond_boxes = split_where(values[:n_cond], cond_refs)
    body_pure, body_boxes = split_where(values[n_cond:n_cond + n_body], body_refs)
    condition, inner = discharge.state(cond_jaxpr), discharge.state(body_jaxpr)
    pure = [*cond_pure, *body_pure] if writes else body_pure
    n_pure, n_boxes, n_cond_boxes = len(pure), len(body_boxes), len(cond_boxes)

    def new_body(*args: Any) -> list:
        consts, boxes = args[:n_pure], args[n_pure:n_pure + n_boxes]
        end = n_pure + n_boxes + n_cond_boxes
        asked, state = args[n_pure + n_boxes:end], args[end:]
        asked_after = asked
        if writes:
            # What the condition writes has to last.
            asked_after = applying.eval_jaxpr(condition, [
                *merge(cond_refs, consts[:len(cond_pure)], asked), *state])[1:]
            consts = consts[len(cond_pure):]
        outs = applying.eval_jaxpr(inner, [*merge(body_refs, consts, boxes), *state])
        return [*outs[len(carry):], *asked_after, *outs[:len(carry)]]

    def new_cond(*args: Any) -> list:
        consts = args[:len(cond_pure)]
        start = len(cond_pure) + n_boxes
        asked, state = args[start:start + n_cond_boxes], args[start + n_cond_boxes:]
        return applying.eval_jaxpr(condition, [*merge(cond_refs, consts, asked), *state])[:1]

    boxes = [abstractify(x) for x in (*body_boxes, *cond_boxes, *carry)]
    new_body_jaxpr = bodies.trace_flat(new_body, [*map(abstractify, pure), *boxes],
                                       inner.debug_info)
    new_cond_jaxpr = bodies.trace_flat(new_cond, [*map(abstractify, cond_pure), *boxes],
                                       pruning.unnamed(cond_jaxpr.debug_info))
    outs = while_p.bind(*cond_pure, *pure, *body_boxes, *cond_boxes, *carry,
                        body_jaxpr=new_body_jaxpr, cond_jaxpr=new_cond_jaxpr,
                        body_nconsts=n_pure, cond_nconsts=len(cond_pure))
    boxes_out, asked_out = outs[:n_boxes], outs[n_boxes:n_boxes + n_cond_boxes]
    return outs[n_boxes + n_cond_boxes:], _after(eqn, 0, [*asked_out, *boxes_out])


def _cond(eqn: Eqn, values: list) -> tuple[list, dict]:
    branches = [discharge.state(b) for b in eqn.params["branches"]]
    n_outs = len(eqn.outvars)
    # A reference that no branch changes does not go through them.
    sources = []
    for branch in branches:
        place = {id(v): i for i, v in enumerate(branch.invars)}
        sources.append([place.get(id(v)) for v in branch.outvars[n_outs:]])
    same = [column[0] if len(set(column)) == 1 else None for column in zip(*sources)]
    keep = [True] * n_outs + [s is None for s in same]
    pruned = tuple(b.replace(outvars=list(pruning.where(b.outvars, keep))) for b in branches)
    outs = cond_p.bind(*values, **{**eqn.params, "branches": pruned})
    rest = iter(outs[n_outs:])
    return outs[:n_outs], _after(eqn, 1, [next(rest) if s is None else values[1 + s]
                                          for s in same])


discharge.RULES.update({"scan": _scan, "while": _while, "cond": _cond})
