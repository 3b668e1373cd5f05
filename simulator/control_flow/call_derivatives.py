"""Differentiating ``eval_jaxpr``, which ``jax.checkpoint`` leaves where a scan was.

JAX source: ``jax/_src/lax/eval_jaxpr.py``; ``jax/_src/interpreters/partial_eval.py:
_eval_jaxpr_partial_eval``.
"""

from __future__ import annotations

from typing import Any

from simulator.autodiff import jvp, linearize, partial_eval
from simulator.autodiff.accumulate import Accumulator
from simulator.autodiff.backward import backward_pass
from simulator.autodiff.memo import by_jaxpr
from simulator.autodiff.zeros import Zero, instantiate, is_zero, tangent_aval
from simulator.control_flow import bodies
from simulator.control_flow.call import eval_jaxpr_p
from simulator.device_arrays.values import abstractify
from simulator.jaxprs import pruning
from simulator.jaxprs.jaxpr import Jaxpr
from simulator.jaxprs.pruning import merge, substitute, where


def _jvp(primals: list, tangents: list, *, call_jaxpr: Jaxpr) -> tuple[list, list]:
    nonzeros = [not is_zero(t) for t in tangents]
    both, out_nonzeros = jvp.jvp_jaxpr(call_jaxpr, nonzeros)
    outs = eval_jaxpr_p.bind(*primals, *where(tangents, nonzeros), call_jaxpr=both)
    n = len(out_nonzeros)
    rest = iter(outs[n:])
    return outs[:n], [next(rest) if nz else Zero(tangent_aval(v.aval))
                      for v, nz in zip(call_jaxpr.outvars, out_nonzeros)]


def _linearize(is_vjp: bool, nonzeros: list[bool], primals: list, params: dict
               ) -> linearize.Linear:
    jaxpr = params["call_jaxpr"]
    found = linearize.linearize_jaxpr(jaxpr, nonzeros, is_vjp=is_vjp)
    n = len(jaxpr.outvars)
    outs = eval_jaxpr_p.bind(*primals, call_jaxpr=found.forward)
    residuals = substitute(found.forwards, [*jaxpr.consts, *primals], outs[n:])

    def apply(residuals: list, tangents: list) -> list:
        given = [instantiate(t) for t, nz in zip(tangents, nonzeros) if nz]
        made = iter(eval_jaxpr_p.bind(*residuals, *given, call_jaxpr=found.tangent))
        return [next(made) if nz else Zero(tangent_aval(v.aval))
                for v, nz in zip(jaxpr.outvars, found.nonzeros)]
    return linearize.Linear(outs[:n], found.nonzeros, residuals, apply, found.structured)


def _transpose(cotangents: list, *args: Any, call_jaxpr: Jaxpr) -> None:
    asked = tuple(x.aval if isinstance(x, Accumulator) else None for x in args)
    zero_avals = tuple(c.aval if is_zero(c) else None for c in cotangents)
    given = [*[x for x in args if not isinstance(x, Accumulator)],
             *[c for c in cotangents if not is_zero(c)]]
    made, nonzeros = _transposed(call_jaxpr, asked, zero_avals, tuple(map(abstractify, given)))
    outs = iter(eval_jaxpr_p.bind(*given, call_jaxpr=made))
    for x, nz in zip([x for x in args if isinstance(x, Accumulator)], nonzeros):
        if nz:
            x.add(next(outs))


@by_jaxpr
def _transposed(jaxpr: Jaxpr, asked: tuple, zero_avals: tuple, avals: tuple
                ) -> tuple[Jaxpr, list[bool]]:
    said: list[bool] = []

    def transposed(*given: Any) -> list:
        rest = iter(given)
        args = [next(rest) if a is None else Accumulator(a) for a in asked]
        backward_pass(jaxpr, args, [next(rest) if z is None else Zero(z) for z in zero_avals])
        values = [x.value for x in args if isinstance(x, Accumulator)]
        said.extend(not is_zero(v) for v in values)
        return [v for v in values if not is_zero(v)]

    return bodies.trace_flat(transposed, avals, pruning.unnamed(jaxpr.debug_info)), said


def _partial_eval(trace: partial_eval.JaxprTrace, tracers: list, params: dict) -> list:
    unknown = tuple(not t.known for t in tracers)
    jaxpr = params["call_jaxpr"]
    found = partial_eval.unzip(jaxpr, unknown)
    known_ins = [t.value for t in tracers if t.known]
    outs = eval_jaxpr_p.bind(*known_ins, call_jaxpr=found.known)
    n = found.out_unknown.count(False)
    residuals = substitute(found.forwards, [*jaxpr.consts, *known_ins], outs[n:])
    made = trace.emit(eval_jaxpr_p, [*map(trace.unknown, residuals), *where(tracers, unknown)],
                      found.unknown.out_avals, {"call_jaxpr": found.unknown},
                      found.unknown.effects)
    return merge(found.out_unknown, outs[:n], made)


eval_jaxpr_p.jvp = _jvp
eval_jaxpr_p.linearize = _linearize
eval_jaxpr_p.accumulate = _transpose
eval_jaxpr_p.partial_eval = _partial_eval
