"""The `shard_map` primitive: a jaxpr for one device of a mesh, as one equation.

Binding it hands a Python function to the current trace, and `process` says for each
kind of trace what becomes of it; written down, it has a jaxpr in place of the function.

JAX source: ``jax/_src/shard_map.py: ShardMapPrimitive, _shard_map_staging,
_shard_map_dce, _shard_map_lowering_shardy``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from simulator import traces, tracing
from simulator.configuration.axis_env import NamedAxisEffect
from simulator.device_arrays.values import abstractify
from simulator.errors import OutOfScope
from simulator.functions import signature
from simulator.jaxprs import applying, dynamic_trace, pruning
from simulator.jaxprs.jaxpr import Eqn, Jaxpr, separate_consts
from simulator.manual import numbers, specs, types
from simulator.named_tuples import NamedTuple
from simulator.placement.partition_spec import PartitionSpec
from simulator.primitives.core import Primitive
from simulator.types.avals import ShapedArray


class Results(NamedTuple):
    """What the function of a `shard_map` returns: flat values, and a spec for each."""

    values: list
    specs: tuple


class ShardMapPrimitive(Primitive):
    """See above. ``bind(*args, fun=…, mesh=…, in_specs=…, check_vma=…, newly_manual_axes=…,
    debug_info=…)``; `fun` takes flat values and returns `Results`."""

    def bind_with(self, trace: Any, args: Any, params: dict) -> list:
        from simulator.manual import all  # noqa: F401  (registers them)
        params = dict(params)
        return process(trace, params.pop("fun"), args, **params)

    def bind_params(self, params: dict) -> dict:
        new = dict(params)
        jaxpr, out_specs = new.pop("jaxpr"), new.pop("out_specs")
        return dict(new, fun=function_of(jaxpr, out_specs), debug_info=jaxpr.debug_info)


def function_of(jaxpr: Jaxpr, out_specs: tuple) -> Callable:
    """A jaxpr as the function of a `shard_map`."""
    def eval_jaxpr(*args: Any) -> Results:
        return Results(applying.eval_jaxpr(jaxpr, args), out_specs)
    return eval_jaxpr


@functools.singledispatch
def process(trace: traces.Trace, fun: Callable, args: Sequence[Any], **params: Any) -> list:
    """What a trace does with a `shard_map`: flat results."""
    raise OutOfScope("jax.shard_map here", "call it under jax.jit")


def call(trace: traces.Trace, fun: Callable, args: Sequence[Any], params: dict) -> list:
    """Hand a `shard_map` to a trace."""
    with traces.current_trace(trace):
        return process(trace, fun, args, **params)


def _abstract(*avals: ShapedArray, jaxpr: Jaxpr, mesh: Any, check_vma: bool, out_specs: tuple,
              **params: Any) -> list[ShapedArray]:
    return [types.unshard(mesh, check_vma, s, a) for s, a in zip(out_specs, jaxpr.out_avals)]


def outer_effects(effects: frozenset, mesh: Any) -> frozenset:
    """The effects of the inner jaxpr that are seen outside: not that it names the axes."""
    return frozenset(e for e in effects
                     if not (isinstance(e, NamedAxisEffect) and e.name in mesh.axis_names))


def trace_body(fun: Callable, avals: Sequence[ShapedArray], debug_info: Any
               ) -> tuple[Jaxpr, tuple]:
    """Ask the tracing cache for the function; jaxpr and specs of the results."""
    found: list[tuple] = []

    def f_wrapped(*args: Any) -> list:
        results = fun(*args)
        found.append(results.specs)
        return list(results.values)

    f_wrapped.__name__ = f_wrapped.__qualname__ = fun.__name__
    call = signature.flatten_call((0,) * len(avals), {}).with_leaves(avals)
    return tracing.trace_to_jaxpr(f_wrapped, call, debug_info).jaxpr, found[0]


@process.register
def _stage(trace: dynamic_trace.DynamicJaxprTrace, fun: Callable, args: Sequence[Any], *, mesh: Any,
           in_specs: Sequence, check_vma: bool, newly_manual_axes: frozenset, debug_info: Any
           ) -> list:
    avals = [types.shard(mesh, newly_manual_axes, check_vma, s, abstractify(a))
             for s, a in zip(in_specs, args)]
    with types.inside(mesh, newly_manual_axes, check_vma):
        jaxpr, out_specs = trace_body(fun, avals, debug_info)
    specs.check_results(mesh, out_specs, jaxpr.out_avals, check_vma)
    outs = [types.unshard(mesh, check_vma, s, a) for s, a in zip(out_specs, jaxpr.out_avals)]
    jaxpr, consts = separate_consts(jaxpr)
    params = dict(check_vma=check_vma, in_specs=(*[PartitionSpec()] * len(consts), *in_specs),
                  jaxpr=jaxpr, mesh=mesh, newly_manual_axes=newly_manual_axes,
                  out_specs=tuple(out_specs))
    ins = [*map(trace.lift, consts), *map(trace.lift, args)]
    return trace.emit(shard_map_p, ins, outs, params, outer_effects(jaxpr.effects, mesh))


def _dce(eqn: Eqn, used: list[bool]) -> Eqn | None:
    if not any(used) and not eqn.effects:
        return None
    p = eqn.params
    jaxpr, used_ins = pruning.dce(p["jaxpr"], used)
    kept = [s for s, u in zip(p["in_specs"], used_ins) if u]
    params = dict(p, jaxpr=jaxpr, in_specs=tuple(kept),
                  out_specs=tuple(s for s, u in zip(p["out_specs"], used) if u))
    return Eqn([v for v, u in zip(eqn.invars, used_ins) if u],
               [v for v, u in zip(eqn.outvars, used) if u], eqn.primitive, params,
               outer_effects(jaxpr.effects, p["mesh"]), eqn.context)


def _lowered(params: dict) -> tuple[str, dict]:
    # What types say about varying is gone from the module.
    kept = {k: v for k, v in params.items() if k != "check_vma"}
    return "shard_map", dict(kept, mesh=params["mesh"].shape_tuple)


shard_map_p = ShardMapPrimitive("shard_map", abstract=_abstract, impl=numbers.evaluate,
                                multiple_results=True, effects=lambda p: outer_effects(
                                    p["jaxpr"].effects, p["mesh"]))
shard_map_p.dce_rule = _dce
shard_map_p.lowered = _lowered
shard_map_p.scope = lambda p: types.inside(p["mesh"], p["newly_manual_axes"], p["check_vma"])
