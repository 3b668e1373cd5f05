"""A `shard_map` of which only a part is known: one that is run, one that is written down.

JAX source: ``jax/_src/shard_map.py: _shard_map_partial_eval``;
``jax/_src/interpreters/partial_eval.py: trace_to_subjaxpr_nounits_fwd2``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simulator import traces
from simulator.autodiff import partial_eval
from simulator.device_arrays.values import abstractify
from simulator.errors import OutOfScope
from simulator.jaxprs import pruning
from simulator.manual import types
from simulator.manual.derivatives import promoted, with_promoted
from simulator.manual.primitive import Results, call, outer_effects, process, shard_map_p


@process.register
def _partial_eval(trace: partial_eval.JaxprTrace, fun: Callable, args: Sequence[Any], *, mesh: Any,
                  in_specs: Sequence, check_vma: bool, newly_manual_axes: frozenset,
                  debug_info: Any) -> list:
    info = pruning.unnamed(debug_info)
    tracers = [trace.lift(a) for a in args]
    unknown = [not t.known for t in tracers]
    values = [t.value for t in tracers if t.known]
    known_specs, unknown_specs = pruning.split_where(in_specs, unknown)
    inner_avals = [types.shard(mesh, newly_manual_axes, check_vma, s, t.aval)
                   for s, t in zip(in_specs, tracers) if not t.known]
    names = types.new_axes(mesh, newly_manual_axes)
    params = dict(mesh=mesh, check_vma=check_vma, newly_manual_axes=newly_manual_axes)
    found: dict[str, Any] = {}

    def own(aval: Any) -> Any:
        return types.spec_of_residual(aval, mesh, check_vma, names)

    def f_pe(*known: Any) -> Results:
        inner = partial_eval.JaxprTrace(traces.current())
        holes, rest = [inner.new_arg(a) for a in inner_avals], iter(known)
        left = iter(holes)
        with traces.current_trace(inner):
            results = fun(*[next(left) if u else next(rest) for u in unknown])
        outs = [inner.lift(x) for x in results.values]
        jaxpr, residuals = partial_eval.to_jaxpr(
            holes, [o for o in outs if not o.known], inner.effectful, info)
        if any(isinstance(r, partial_eval.JaxprTracer) for r in residuals):
            raise OutOfScope("a shard_map around a value that is differentiated in a rule",
                             "pass the value as an argument")
        given = [o.value for o in outs if o.known]
        by_arg = {id(x): i for i, x in enumerate(known)}
        by_out = {id(x): i for i, x in enumerate(given)}
        from_args = [by_arg.get(id(r)) for r in residuals]
        from_outs = [by_out.get(id(r)) for r in residuals]
        fresh = [a is None and o is None for a, o in zip(from_args, from_outs)]
        n = len(jaxpr.invars) - len(residuals)
        jaxpr = with_promoted(jaxpr, [*[f and not abstractify(r).shape
                                        for f, r in zip(fresh, residuals)], *[False] * n])
        kept = [promoted(r) for r in pruning.where(residuals, fresh)]
        out_unknown = [not o.known for o in outs]
        out_known, out_left = pruning.split_where(results.specs, out_unknown)
        kept_specs = [own(abstractify(r)) for r in kept]
        found.update(jaxpr=jaxpr, unknown=out_unknown, from_args=from_args, from_outs=from_outs,
                     out_specs=tuple(out_left), kept_specs=kept_specs, out_known=out_known)
        return Results([*given, *kept], (*out_known, *kept_specs))

    results = call(trace.parent, f_pe, values, dict(
        params, in_specs=tuple(known_specs), debug_info=info))
    n = found["unknown"].count(False)
    outs, fresh = results[:n], results[n:]

    def chosen(ins: Sequence, given: Sequence, rest: Sequence) -> list:
        left = iter(rest)
        return [ins[a] if a is not None else given[o] if o is not None else next(left)
                for a, o in zip(found["from_args"], found["from_outs"])]

    jaxpr = found["jaxpr"]
    jaxpr = jaxpr.replace(debug_info=pruning.unnamed(jaxpr.debug_info))
    specs = (*chosen(known_specs, found["out_known"], found["kept_specs"]), *unknown_specs)
    avals = [types.unshard(mesh, check_vma, s, a)
             for s, a in zip(found["out_specs"], jaxpr.out_avals)]
    made = trace.emit(
        shard_map_p, [*map(trace.constant, chosen(values, outs, fresh)),
                      *pruning.where(tracers, unknown)], avals,
        dict(params, in_specs=specs, out_specs=found["out_specs"], jaxpr=jaxpr),
        outer_effects(jaxpr.effects, mesh))
    return pruning.merge(found["unknown"], outs, made)
