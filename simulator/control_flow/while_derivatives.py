"""Differentiating a `while`: forward only.

How many turns there will be is not known, so nothing can be kept for the way back.
Linearized, the loop runs twice: once for the results, and once, as the linear part,
with the tangents.

JAX source: ``jax/_src/lax/control_flow/loops.py: _while_loop_jvp,
_while_partial_eval, _while_transpose_error``.
"""

from __future__ import annotations

from typing import Any

from simulator.autodiff import jvp, partial_eval
from simulator.autodiff.zeros import instantiate, is_zero, zero_of
from simulator.control_flow.scan_derivatives import fixpoint
from simulator.control_flow.while_loop import while_p
from simulator.jaxprs import pruning
from simulator.jaxprs.jaxpr import Jaxpr, Var
from simulator.jaxprs.pruning import merge, where


def _jvp(primals: list, tangents: list, *, cond_jaxpr: Jaxpr, body_jaxpr: Jaxpr,
         cond_nconsts: int, body_nconsts: int) -> tuple[list, list]:
    both = cond_nconsts + body_nconsts
    nonzeros = [not is_zero(t) for t in tangents]
    const_nz = nonzeros[cond_nconsts:both]

    def answer(carry: list) -> tuple:
        return jvp.jvp_jaxpr(body_jaxpr, const_nz + carry, carry)

    carry_nz, body = fixpoint(nonzeros[both:], answer)
    n_carry = len(carry_nz)
    const_dots = [t for t in tangents[cond_nconsts:both] if not is_zero(t)]
    init_dots = [instantiate(t) for t, nz in zip(tangents[both:], carry_nz) if nz]
    # Constants and their tangents before the carry and its.
    n_dots = len(const_dots)
    primal_vars, dot_vars = body.invars[:body_nconsts + n_carry], body.invars[body_nconsts + n_carry:]
    body = body.replace(invars=[*primal_vars[:body_nconsts], *dot_vars[:n_dots],
                                *primal_vars[body_nconsts:], *dot_vars[n_dots:]])
    wide = cond_jaxpr.replace(invars=[
        *cond_jaxpr.invars, *[Var(v.aval) for v in dot_vars[n_dots:]]],
        debug_info=pruning.unnamed(cond_jaxpr.debug_info))
    outs = while_p.bind(*primals[:both], *const_dots, *primals[both:], *init_dots,
                        cond_nconsts=cond_nconsts, cond_jaxpr=wide,
                        body_nconsts=body_nconsts + n_dots, body_jaxpr=body)
    rest = iter(outs[n_carry:])
    return outs[:n_carry], [next(rest) if nz else zero_of(x) for x, nz in zip(outs, carry_nz)]


def _partial_eval(trace: partial_eval.JaxprTrace, tracers: list, params: dict) -> list:
    n_cond, n_body = params["cond_nconsts"], params["body_nconsts"]
    unknown = [not t.known for t in tracers]
    cond_uk, body_uk = unknown[:n_cond], unknown[n_cond:n_cond + n_body]

    def answer(carry: list) -> tuple:
        found = partial_eval.unzip(params["body_jaxpr"], tuple(body_uk + carry), tuple(carry), False)
        return found, list(found.out_unknown)

    carry_uk, body = fixpoint(unknown[n_cond + n_body:], answer)
    condition = partial_eval.unzip(params["cond_jaxpr"], tuple(cond_uk + carry_uk), (), False)
    if condition.out_unknown[0] or all(unknown) or not any(unknown):
        return trace.default(while_p, tracers, params)
    uk = [*cond_uk, *body_uk, *carry_uk]
    known = [t.value for t, u in zip(tracers, uk) if not u]
    n_known = carry_uk.count(False)
    known_body = body.known.replace(outvars=body.known.outvars[:n_known])
    outs = while_p.bind(*known, cond_nconsts=cond_uk.count(False), cond_jaxpr=condition.known,
                        body_nconsts=body_uk.count(False), body_jaxpr=known_body)
    # Nothing is kept: the whole loop once more.
    later = trace.default(while_p, tracers, params)
    return merge(carry_uk, outs, where(later, carry_uk))


def _transpose(*args: Any, **params: Any) -> None:
    raise ValueError(
        "Reverse-mode differentiation does not work for lax.while_loop or lax.fori_loop with "
        "dynamic start/stop values. Try using lax.scan, or using fori_loop with static start/stop.")


while_p.jvp = _jvp
while_p.partial_eval = _partial_eval
while_p.transpose = _transpose
