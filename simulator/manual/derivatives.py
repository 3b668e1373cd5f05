"""Differentiating a `shard_map`: forward, linear part, and backwards.

Each is a `shard_map` again. What the linear part needs of the first one comes out as
further results, cut along their first axis by the axes over which they vary; a scalar
gets such an axis first.

JAX source: ``jax/_src/shard_map.py: _shard_map_jvp, _shard_map_linearize,
_shard_map_transpose, _promote_scalar_residuals_jaxpr``.

Simplified: structured residuals hold no values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from simulator import traces, tracing
from simulator.autodiff import jvp, linearize
from simulator.autodiff.accumulate import Accumulator, is_unknown
from simulator.autodiff.backward import backward_pass
from simulator.autodiff.zeros import Zero, is_zero, tangent_aval, zero_of
from simulator.configuration.axis_env import AxisEnv
from simulator.device_arrays.values import abstractify
from simulator.facade.jax import lax
from simulator.functions import signature
from simulator.jaxprs import applying, dynamic_trace, pruning
from simulator.jaxprs.jaxpr import Jaxpr, separate_consts
from simulator.jaxprs.tracer import DynamicJaxprTracer
from simulator.manual import types
from simulator.manual.primitive import Results, call, function_of, process, shard_map_p
from simulator.placement.partition_spec import PartitionSpec
from simulator.primitives.ambient import state
from simulator.types import dtypes
from simulator.types.avals import ShapedArray


@process.register
def _jvp(trace: jvp.JVPTrace, fun: Callable, args: Sequence[Any], *, in_specs: Sequence,
         debug_info: Any, **params: Any) -> list:
    pairs = [trace.pair(a) for a in args]
    primals, tangents = [p for p, _ in pairs], [t for _, t in pairs]
    nonzeros = [not is_zero(t) for t in tangents]
    found: list[bool] = []

    def f_jvp(*flat: Any) -> Results:
        rest = iter(flat[len(primals):])
        given = [next(rest) if nz else zero_of(p) for p, nz in zip(flat, nonzeros)]
        inner = jvp.JVPTrace(traces.current(), trace.tag)
        with traces.current_trace(inner):
            results = fun(*[jvp.tracer(inner, p, t) for p, t in zip(flat, given)])
        outs = [inner.pair(x) for x in results.values]
        found[:] = [not is_zero(t) for _, t in outs]
        return Results(
            [*[p for p, _ in outs], *[t for _, t in outs if not is_zero(t)]],
            (*results.specs, *pruning.where(results.specs, found)))

    outs = call(trace.parent, f_jvp, [*primals, *pruning.where(tangents, nonzeros)], dict(
        params, in_specs=(*in_specs, *pruning.where(in_specs, nonzeros)),
        debug_info=pruning.unnamed(debug_info)))
    rest = iter(outs[len(found):])
    return [jvp.tracer(trace, x, next(rest)) if nz else x for x, nz in zip(outs, found)]


def promoted(x: Any) -> Any:
    """A scalar with an axis, so that the values of all devices can be put side by side."""
    return lax.broadcast(x, (1,)) if not abstractify(x).shape else x


def with_promoted(jaxpr: Jaxpr, which: Sequence[bool]) -> Jaxpr:
    """The jaxpr for parameters of which some scalars have got an axis."""
    def fun(*args: Any) -> list:
        return applying.eval_jaxpr(
            jaxpr, [lax.squeeze(x, [0]) if w else x for x, w in zip(args, which)])

    avals = [a.update(shape=(1, *a.shape), spec=()) if w else a
             for a, w in zip(jaxpr.in_avals, which)]
    wanted = signature.flatten_call((0,) * len(avals), {}).with_leaves(avals)
    traced = tracing.trace_to_jaxpr(fun, wanted, jaxpr.debug_info)
    return separate_consts(traced.jaxpr)[0]


class _Linear:
    """What the function leaves behind when it is linearized.

    values: results, then residuals that are neither argument nor result.
    """

    def __init__(self, trace: linearize.LinearizeTrace, fun: Callable, primals: Sequence[Any],
                 nonzeros: Sequence[bool], info: Any):
        tangents = dynamic_trace.DynamicJaxprTrace()
        inner = linearize.LinearizeTrace(traces.current(), tangents, trace.is_vjp)
        inner.tag = trace.tag
        ins = [linearize.LinearizeTracer(inner, p, tangents.new_arg(tangent_aval(abstractify(p))))
               if nz else p for p, nz in zip(primals, nonzeros)]
        with traces.current_trace(inner):
            results = fun(*ins)
        pairs = [inner.pair(x) for x in results.values]
        outs, self.specs = [p for p, _ in pairs], results.specs
        self.nonzeros = [not is_zero(t) for _, t in pairs]
        jaxpr, consts = linearize.opened(tangents, [t for _, t in pairs if not is_zero(t)], info)
        tangents.close()
        trace.structured.append(inner.structured)
        # Tangents of the program around are no residuals: the linear part takes them as they are.
        outer = [isinstance(c, DynamicJaxprTracer) and c._trace is trace.tangents for c in consts]
        residuals, self.env = pruning.split_where(consts, outer)
        n = len(consts)
        first, second = pruning.split_where(jaxpr.invars[:n], outer)
        self.jaxpr = jaxpr.replace(invars=[*first, *second, *jaxpr.invars[n:]])
        by_arg = {id(p): i for i, p in enumerate(primals)}
        by_out = {id(p): i for i, p in enumerate(outs)}
        self.from_args = [by_arg.get(id(r)) for r in residuals]
        self.from_outs = [by_out.get(id(r)) for r in residuals]
        self.avals = [abstractify(r) for r in residuals]
        self.fresh = [a is None and o is None for a, o in zip(self.from_args, self.from_outs)]
        self.outs, self.given = outs, pruning.where(residuals, self.fresh)

    def chosen(self, args: Sequence[Any], outs: Sequence[Any], fresh: Sequence[Any]) -> list:
        """One thing per residual: that of an argument, of a result, or its own."""
        rest = iter(fresh)
        return [args[a] if a is not None else outs[o] if o is not None else next(rest)
                for a, o in zip(self.from_args, self.from_outs)]


@process.register
def _linearize(trace: linearize.LinearizeTrace, fun: Callable, args: Sequence[Any], *, mesh: Any,
               in_specs: Sequence, check_vma: bool, newly_manual_axes: frozenset,
               debug_info: Any) -> list:
    info = pruning.unnamed(debug_info)
    pairs = [trace.pair(a) for a in args]
    primals, tangents = [p for p, _ in pairs], [t for _, t in pairs]
    nonzeros = [not is_zero(t) for t in tangents]
    params = dict(mesh=mesh, check_vma=check_vma, newly_manual_axes=newly_manual_axes)
    names = types.new_axes(mesh, newly_manual_axes)
    found: list[_Linear] = []

    def f_lin(*inner: Any) -> Results:
        linear = _Linear(trace, fun, inner, nonzeros, info)
        found.append(linear)
        own = [types.spec_of_residual(abstractify(r), mesh, check_vma, names)
               for r in linear.given]
        return Results([*linear.outs, *map(promoted, linear.given)], (*linear.specs, *own))

    results = call(trace.parent, f_lin, primals, dict(params, in_specs=in_specs, debug_info=info))
    linear, = found
    n = len(linear.outs)
    outs, fresh = results[:n], results[n:]
    residuals = linear.chosen(primals, outs, fresh)
    promote = [f and not a.shape for f, a in zip(linear.fresh, linear.avals)]
    rest = len(linear.jaxpr.invars) - len(promote)
    with types.inside(mesh, newly_manual_axes, check_vma):
        jaxpr = with_promoted(linear.jaxpr, [*promote, *[False] * rest])
    own = [types.spec_of_residual(a, mesh, check_vma, names)
           for a, f in zip(linear.avals, linear.fresh) if f]
    specs = (*linear.chosen(in_specs, linear.specs, own), *[PartitionSpec()] * len(linear.env),
             *pruning.where(in_specs, nonzeros))
    tangent_specs = tuple(pruning.where(linear.specs, linear.nonzeros))
    f_tangent = function_of(jaxpr, tangent_specs)
    f_tangent.__name__ = f_tangent.__qualname__ = "f_tangent"
    given = call(trace.tangents, f_tangent,
                 [*residuals, *linear.env, *pruning.where(tangents, nonzeros)],
                 dict(params, in_specs=specs, debug_info=jaxpr.debug_info))
    left = iter(given)
    return [linearize.tracer(trace, x, next(left) if nz else zero_of(x))
            for x, nz in zip(outs, linear.nonzeros)]


def _not_in(mesh: Any, spec: PartitionSpec, manual: frozenset) -> tuple:
    taken = types.spec_axes(spec) | state("axis_env_state", AxisEnv()).spmd_axis_names
    return tuple(n for n in mesh.axis_names if n in manual and n not in taken)


def _transpose(cotangents: Sequence[Any], *args: Any, jaxpr: Jaxpr, mesh: Any, in_specs: Sequence,
               out_specs: Sequence, check_vma: bool, newly_manual_axes: frozenset) -> list:
    manual = newly_manual_axes

    def part(spec: PartitionSpec, aval: ShapedArray) -> ShapedArray:
        return types.shard(mesh, manual, check_vma, spec, aval)

    def shared(spec: PartitionSpec, ct: Any) -> Any:
        # Unchecked, each device gets its share of the cotangent of a value that all have.
        if check_vma or abstractify(ct).dtype is dtypes.float0:
            return ct
        count = math.prod(mesh.shape[n] for n in _not_in(mesh, spec, manual))
        return ct / count if count != 1 else ct

    cts = [Zero(part(s, ct.aval)) if is_zero(ct) else shared(s, ct)
           for s, ct in zip(out_specs, cotangents)]
    known = [not is_zero(ct) for ct in cts]
    asked = [is_unknown(x) for x in args]
    found: list = []

    def fun_trans_callable(*flat: Any) -> Results:
        rest = iter(flat)
        right = [next(rest) if k else ct for ct, k in zip(cts, known)]
        ins = [Accumulator(part(s, x.aval)) if a else next(rest)
               for s, x, a in zip(in_specs, args, asked)]
        backward_pass(jaxpr, ins, right)
        left = [x.value if isinstance(x, Accumulator) else Zero(tangent_aval(abstractify(x)))
                for x in ins]
        if not check_vma:
            left = [x if is_zero(x) else lax.psum(x, _not_in(mesh, s, manual))
                    for s, x in zip(in_specs, left)]
        found[:] = left
        nonzero = [not is_zero(x) for x in left]
        return Results(pruning.where(left, nonzero), tuple(pruning.where(in_specs, nonzero)))

    outs = iter(shard_map_p.bind(
        *pruning.where(cts, known), *[x for x, a in zip(args, asked) if not a],
        fun=fun_trans_callable, mesh=mesh, check_vma=check_vma, newly_manual_axes=manual,
        in_specs=(*pruning.where(out_specs, known), *[s for s, a in zip(in_specs, asked) if not a]),
        debug_info=pruning.unnamed(jaxpr.debug_info)))
    return [Zero(types.unshard(mesh, check_vma, s, x.aval)) if is_zero(x) else next(outs)
            for s, x in zip(in_specs, found)]


shard_map_p.transpose = _transpose
