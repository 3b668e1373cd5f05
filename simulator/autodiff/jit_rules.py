"""A jitted function differentiated: the rules of the ``jit`` equation.

Each takes the inner jaxpr to another one, remembered by the inner jaxpr, and applies
that as a ``jit`` of the same name. So a second gradient finds the jaxpr object of the
first, and with it everything below: `lower` hits, nothing is compiled.

JAX source: ``jax/_src/pjit.py: _pjit_jvp, _pjit_linearize, _pjit_transpose_fancy,
_pjit_partial_eval``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simulator import tracing
from simulator.autodiff import jvp, linearize, partial_eval
from simulator.autodiff.accumulate import Accumulator
from simulator.autodiff.backward import backward_pass
from simulator.autodiff.memo import by_jaxpr
from simulator.autodiff.zeros import Zero, is_zero, tangent_aval, zero_of
from simulator.device_arrays.values import abstractify
from simulator.functions import signature
from simulator.jaxprs import pruning
from simulator.jaxprs.jaxpr import Jaxpr
from simulator.jaxprs.pruning import merge, substitute, where
from simulator.jit_primitive import jit_p
from simulator.placement.shardings import UNSPECIFIED

_IN = (("in_shardings", UNSPECIFIED), ("in_layouts", None), ("donated_invars", False))
_OUT = (("out_shardings", UNSPECIFIED), ("out_layouts", None))


def _changed(params: dict, jaxpr: Jaxpr, ins: Any, outs: Any) -> dict:
    """Parameters for another jaxpr. `ins`, `outs`: ``(values, filler) -> values``."""
    new = dict(params, jaxpr=jaxpr)
    for name, filler in _IN:
        new[name] = tuple(ins(params[name], filler))
    for name, filler in _OUT:
        new[name] = tuple(outs(params[name], filler))
    return new


def _jvp(primals: list, tangents: list, **params: Any) -> tuple[list, list]:
    nonzeros = [not is_zero(t) for t in tangents]
    jaxpr, out_nonzeros = jvp.jvp_jaxpr(params["jaxpr"], nonzeros)
    new = _changed(params, jaxpr, lambda v, f: (*v, *where(v, nonzeros)),
                   lambda v, f: (*v, *where(v, out_nonzeros)))
    outs = jit_p.bind(*primals, *where(tangents, nonzeros), **new)
    n = len(out_nonzeros)
    rest = iter(outs[n:])
    return outs[:n], [next(rest) if nz else Zero(tangent_aval(v.aval))
                      for v, nz in zip(params["jaxpr"].outvars, out_nonzeros)]


def _linearize(is_vjp: bool, nonzeros: list[bool], primals: list, params: dict
               ) -> linearize.Linear:
    found = linearize.linearize_jaxpr(params["jaxpr"], nonzeros, is_vjp=is_vjp)
    n = len(params["jaxpr"].outvars)
    # A result that is an argument, and a residual that is a result, is not given twice.
    free = [s is UNSPECIFIED for s in params["out_shardings"]] + [True] * found.num_res
    from_args = [f if ok else None for f, ok in zip(pruning.forwarding(found.forward), free)]
    keep = [f is None for f in from_args]
    forward = pruning.prune_outputs(found.forward, keep)
    forward, from_outs = pruning.dedup_outputs(forward, sum(keep[:n]))
    fresh = [f is None for f in from_outs]

    def outs_of(values: Any, filler: Any) -> tuple:
        return where(where((*values, *[filler] * found.num_res), keep), fresh)

    outs = jit_p.bind(*primals, **_changed(params, forward, lambda v, f: v, outs_of))
    outs = substitute(from_outs, outs, outs)
    outs = substitute(from_args, primals, outs)
    consts = params["jaxpr"].consts
    residuals = substitute(found.forwards, [*consts, *primals], outs[n:])
    new = _changed(params, found.tangent,
                   lambda v, f: (*[f] * len(residuals), *where(v, nonzeros)),
                   lambda v, f: where(v, found.nonzeros))

    def apply(residuals: list, tangents: list) -> list:
        rest = iter(jit_p.bind(*residuals, *where(tangents, nonzeros), **new))
        return [next(rest) if nz else zero_of(x) for x, nz in zip(outs[:n], found.nonzeros)]
    return linearize.Linear(outs[:n], found.nonzeros, residuals, apply, found.structured)


def _transpose(cotangents: list, *args: Any, **params: Any) -> None:
    asked = tuple(isinstance(x, Accumulator) for x in args)
    nonzero = tuple(not is_zero(c) for c in cotangents)
    given = [*[x for x in args if not isinstance(x, Accumulator)],
             *[c for c in cotangents if not is_zero(c)]]
    avals = tuple(abstractify(x) for x in given)
    zero_avals = tuple(c.aval for c in cotangents if is_zero(c))
    # The types are those of the operands, which may be less weak than the function's.
    linear = tuple(x.aval for x in args if isinstance(x, Accumulator))
    jaxpr, given_back = _transposed(params["jaxpr"], asked, linear, nonzero, avals, zero_avals)
    fixed = [not a for a in asked]
    new = dict(params, jaxpr=jaxpr)
    for ins, outs in (("in_shardings", "out_shardings"), ("in_layouts", "out_layouts")):
        new[ins] = (*where(params[ins], fixed), *where(params[outs], nonzero))
        new[outs] = tuple(v for v, g in zip(where(params[ins], asked), given_back) if g)
    new["donated_invars"] = (False,) * len(given)
    rest = iter(jit_p.bind(*given, **new))
    for x, g in zip([x for x in args if isinstance(x, Accumulator)], given_back):
        x.add(next(rest) if g else Zero(x.aval))


@by_jaxpr
def _transposed(jaxpr: Jaxpr, asked: tuple, linear: tuple, nonzero: tuple, avals: tuple,
                zero_avals: tuple) -> tuple[Jaxpr, list[bool]]:
    given_back: list[bool] = []

    def transposed(*given: Any) -> list:
        n = asked.count(False)
        rest, zeros = iter(given[:n]), iter(zero_avals)
        accumulators = list(map(Accumulator, linear))
        args = merge(asked, list(rest), accumulators)
        cotangents = iter(given[n:])
        backward_pass(jaxpr, args, [next(cotangents) if nz else Zero(next(zeros))
                                    for nz in nonzero])
        given_back.extend(not is_zero(x.value) for x in accumulators)
        return [x.value for x in accumulators if not is_zero(x.value)]

    call = signature.flatten_call((0,) * len(avals), {}).with_leaves(avals)
    traced = tracing.trace_to_jaxpr(transposed, call, pruning.unnamed(jaxpr.debug_info))
    return traced.jaxpr, given_back


def _partial_eval(trace: partial_eval.JaxprTrace, tracers: Sequence[Any], params: dict) -> list:
    unknown = tuple(not t.known for t in tracers)
    found = partial_eval.unzip(params["jaxpr"], unknown)
    known_ins = [t.value for t in tracers if t.known]
    known_outs = [not u for u in found.out_unknown]
    n = sum(known_outs)
    free = [s is UNSPECIFIED for s in where(params["out_shardings"], known_outs)]
    free += [True] * found.num_res
    from_args = [f if ok else None for f, ok in zip(pruning.forwarding(found.known), free)]
    keep = [f is None for f in from_args]
    known = pruning.prune_outputs(found.known, keep)
    kept = sum(keep[:n])
    index = {id(v): i for i, v in enumerate(known.outvars[:kept])}
    from_outs = [None] * kept + [index.get(id(v)) for v in known.outvars[kept:]]
    fresh = [f is None for f in from_outs]
    known = pruning.prune_outputs(known, fresh)

    def outs_of(values: Any, filler: Any) -> tuple:
        return where(where((*where(values, known_outs), *[filler] * found.num_res), keep), fresh)

    outs = jit_p.bind(*known_ins, **_changed(
        params, known, lambda v, f: where(v, [not u for u in unknown]), outs_of))
    outs = substitute(from_outs, outs, outs)
    outs = substitute(from_args, known_ins, outs)
    residuals = substitute(found.forwards, [*params["jaxpr"].consts, *known_ins], outs[n:])
    made = [trace.constant(r) for r in residuals]
    jaxpr = pruning.move_to_back(found.unknown, [True] * len(made) + [False] * sum(unknown))
    new = _changed(params, jaxpr, lambda v, f: (*where(v, unknown), *[f] * len(made)),
                   lambda v, f: where(v, found.out_unknown))
    later = trace.emit(jit_p, [*[t for t in tracers if not t.known], *made], jaxpr.out_avals, new,
                       jaxpr.effects)
    return merge(found.out_unknown, outs[:n], later)


jit_p.jvp = _jvp
jit_p.linearize = _linearize
jit_p.accumulate = _transpose
jit_p.partial_eval = _partial_eval
