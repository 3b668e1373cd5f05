"""The trace that writes a jaxpr down, and the two ways of tracing with it.

Every primitive that meets its tracers becomes an equation. It also writes down what is
left of a function after differentiation or batching.

JAX source: ``jax/_src/interpreters/partial_eval.py: DynamicJaxprTrace,
trace_to_jaxpr_dynamic``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simulator import process, traces
from simulator.device_arrays.values import abstractify, is_scalar_constant
from simulator.functions import signature
from simulator.jaxprs import folding
from simulator.jaxprs.jaxpr import DebugInfo, Eqn, EqnContext, Jaxpr, Literal, Var
from simulator.jaxprs.tracer import DynamicJaxprTracer, Tracer
from simulator.placement import mesh
from simulator.references.ref_types import (
    is_ref,
    of_bodies,
    of_equations,
    outside,
    touches_refs,
)
from simulator.running import source
from simulator.types.avals import ShapedArray


class DynamicJaxprTrace(traces.Trace):
    """Writes down one jaxpr. debug_info: what messages call the function."""

    def __init__(self, parent: traces.Trace | None = None, debug_info: DebugInfo | None = None):
        super().__init__(parent)
        self.debug_info = debug_info
        self.invars: list[Var] = []
        self.eqns: list[Eqn] = []
        self._consts: dict[int, tuple[Var, Any, DynamicJaxprTracer]] = {}  # by id of the value

    def new_arg(self, aval: ShapedArray) -> DynamicJaxprTracer:
        """A tracer for one more argument of this type."""
        var = Var(aval)
        self.invars.append(var)
        return DynamicJaxprTracer(self, aval, var, ())

    def lift(self, value: Any) -> DynamicJaxprTracer:
        """Bring any value into this trace: a tracer of ours, a literal, or a constant."""
        if isinstance(value, DynamicJaxprTracer) and value._trace is self:
            return value
        known = self._consts.get(id(value))
        if known is not None:
            return known[2]
        aval = abstractify(value)
        if is_scalar_constant(value):
            return DynamicJaxprTracer(self, aval, Literal(value, aval))
        process.current().config.check_limits(
            "an array that a function closes over", "jax_use_simplified_jaxpr_constants")
        var = Var(aval)
        tracer = DynamicJaxprTracer(self, aval, var)
        self._consts[id(value)] = (var, value, tracer)
        return tracer

    def process_primitive(self, primitive: Any, args: tuple, params: dict) -> Any:
        """Turn one primitive application into an equation; return its tracers."""
        if self._computes(args):
            return primitive.bind_with(traces.EVAL, args, params)
        tracers = [self.lift(a) for a in args]
        if primitive.staging_rule is not None:
            return primitive.staging_rule(self, tracers, params)
        return self.stage(primitive, tracers, params)

    def stage_value(self, value: Any) -> Any:
        return traces.EVAL.stage_value(value) if self._computes((value,)) else self.lift(value)

    @staticmethod
    def _computes(args: Any) -> bool:
        # Under ``jax.ensure_compile_time_eval`` what depends on no tracer is computed.
        return bool(process.current().config.value("eager_constant_folding")
                    and not any(isinstance(a, Tracer) for a in args))

    def process_custom_jvp_call(self, primitive: Any, fun: Callable, jvp: Any, args: Any,
                                symbolic_zeros: bool) -> list:
        if self._computes(args):
            return traces.EVAL.process_custom_jvp_call(primitive, fun, jvp, args, symbolic_zeros)
        return primitive.staging_rule(self, [self.lift(a) for a in args],
                                      {"fun": fun, "jvp": jvp, "symbolic_zeros": symbolic_zeros})

    def process_custom_vjp_call(self, primitive: Any, fun: Callable, fwd: Any, bwd: Any,
                                args: Any, out_trees: Callable, symbolic_zeros: bool) -> list:
        if self._computes(args):
            return traces.EVAL.process_custom_vjp_call(primitive, fun, fwd, bwd, args, out_trees,
                                                       symbolic_zeros)
        return primitive.staging_rule(self, [self.lift(a) for a in args],
                                      {"fun": fun, "fwd": fwd, "bwd": bwd, "out_trees": out_trees,
                                       "symbolic_zeros": symbolic_zeros})

    def stage(self, primitive: Any, tracers: list[DynamicJaxprTracer], params: dict) -> Any:
        """Append the equation as it is."""
        out = primitive.abstract(*[t.aval for t in tracers], **params)
        avals = list(out) if primitive.multiple_results else [out]
        literal = folding.fold(primitive, [t.atom for t in tracers], params, avals)
        if literal is not None:
            return DynamicJaxprTracer(self, literal.aval, literal)
        if tracers and folding.forwards(primitive, tracers[0].aval, params):
            return tracers[0]
        if primitive.name == "device_put" and folding.places_nowhere(
                [self.constant(t) for t in tracers], params):
            return tracers
        effects = primitive.effects(params) if primitive.effects else frozenset()
        if touches_refs(effects):
            effects = of_bodies(params, [t.atom for t in tracers])
        outs = self.emit(primitive, tracers, avals, params, effects)
        return outs if primitive.multiple_results else outs[0]

    def _context(self, own_frames: int) -> tuple[EqnContext, tuple]:
        # Frames of the model that are certainly around this one need not be looked at.
        here = process.current()
        place, places = source.places(SCOPE, own_frames, here.thread.around)
        return EqnContext(place, mesh.get_abstract_mesh(),
                          here.config.value("jax_threefry_partitionable")), places

    def constant(self, tracer: DynamicJaxprTracer) -> Any:
        """The value of a tracer that stands for a constant, else None."""
        if isinstance(tracer.atom, Literal):
            return tracer.atom.val
        return next((c for v, c, _ in self._consts.values() if v is tracer.atom), None)

    def emit(self, primitive: Any, tracers: list[DynamicJaxprTracer], avals: list, params: dict,
             effects: frozenset) -> list[DynamicJaxprTracer]:
        """Write an equation; tracers for its results. `avals` are their types."""
        outvars = [Var(a) for a in avals]
        context, places = self._context(own_frames=4)   # … bind, rule, emit
        self.eqns.append(Eqn([t.atom for t in tracers], outvars, primitive, params, effects,
                             context))
        return [DynamicJaxprTracer(self, v.aval, v, places) for v in outvars]

    def constvars(self) -> list[Var]:
        """The variables that stand for constants."""
        return [v for v, _, _ in self._consts.values()]

    def inline(self, jaxpr: Jaxpr, args: list[DynamicJaxprTracer]) -> list[DynamicJaxprTracer]:
        """Copy the equations of a jaxpr in place of a call to it."""
        tracers = dict(zip(jaxpr.invars, args))
        if jaxpr.consts:
            tracers.update(zip(jaxpr.constvars, map(self.lift, jaxpr.consts)))
        atoms: dict[Any, Any] = {var: tracer.atom for var, tracer in tracers.items()}
        # … bind_with, process_primitive, the rule of `jit`, inline: binding has two, a call more.
        context, places = self._context(own_frames=7) if jaxpr.eqns else (None, None)
        for eqn in jaxpr.eqns:
            ins, avals = [atoms.get(a, a) for a in eqn.invars], [v.aval for v in eqn.outvars]
            literal = folding.fold(eqn.primitive, ins, eqn.params, avals)
            if literal is not None:
                atoms[eqn.outvars[0]] = literal
                continue
            effects = eqn.effects
            if effects:
                effects = outside(effects, list(atoms), list(atoms.values()))
            outvars = [Var(a) for a in avals]
            self.eqns.append(Eqn(ins, outvars, eqn.primitive, eqn.params, effects, context))
            atoms.update(zip(eqn.outvars, outvars))
        outs = []
        for var in jaxpr.outvars:
            tracer = tracers.get(var)
            if tracer is None:
                atom = atoms.get(var, var)
                tracer = DynamicJaxprTracer(self, atom.aval, atom, places)
                if atom is not var:    # a variable: one tracer, however often it is returned
                    tracers[var] = tracer
            outs.append(tracer)
        return outs

    def finish(self, outs: list[DynamicJaxprTracer], debug_info: DebugInfo) -> Jaxpr:
        """The jaxpr of everything staged so far. Constants nobody uses are dropped."""
        consts = [(v, c) for v, c, _ in self._consts.values()]
        if consts:
            used = {id(a) for e in self.eqns for a in e.invars} | {id(t.atom) for t in outs}
            consts = [(v, c) for v, c in consts if id(v) in used]
        return Jaxpr([v for v, _ in consts], [c for _, c in consts], self.invars,
                     [t.atom for t in outs], self.eqns, of_equations(self.eqns), debug_info)

    def close(self) -> None:
        """Let go of everything, so that captured values can be collected."""
        self.eqns, self._consts = [], {}


def trace_call(fun: Callable, arguments: signature.FlatCall, debug_info: DebugInfo
               ) -> tuple[Jaxpr, Any]:
    """Run `fun` once with tracers in place of arrays: the jaxpr and the tree of the result."""
    here = process.current()
    thread = here.thread
    trace, around = DynamicJaxprTrace(thread.trace, debug_info), thread.around
    _, thread.around = source.places(SCOPE, 1, around)
    try:
        with traces.current_trace(trace):
            args, kwargs = arguments.unflatten(trace.new_arg)
            result = fun(*args, **kwargs)
            leaves, out_tree = here.registries.default.flatten(result)
            outs = [_lift_result(trace, leaf, i, leaves, result, debug_info)
                    for i, leaf in enumerate(leaves)]
        return trace.finish(outs, debug_info), out_tree
    finally:
        thread.around = around
        trace.close()


SCOPE = trace_call.__code__
"""What is traced has no place outside of here."""


def trace_flat(fun: Callable, avals: Sequence[ShapedArray], debug_info: DebugInfo) -> Jaxpr:
    """The jaxpr of a flat function, written down without asking the cache.

    JAX source: ``jax/_src/interpreters/partial_eval.py: trace_to_jaxpr_dynamic``.
    """
    trace = DynamicJaxprTrace(traces.current(), debug_info)
    try:
        with traces.current_trace(trace):
            outs = list(fun(*map(trace.new_arg, avals)))
            lifted = [_lift_result(trace, leaf, i, outs, outs, debug_info)
                      for i, leaf in enumerate(outs)]
        return trace.finish(lifted, debug_info)
    finally:
        trace.close()


def _lift_result(trace: DynamicJaxprTrace, leaf: Any, index: int, leaves: list, result: Any,
                 debug_info: DebugInfo) -> DynamicJaxprTracer:
    try:
        abstractify(leaf)
    except TypeError:
        path = signature.result_paths(result)[index].removeprefix("result")
        extra = f" at output component {path}" if path else ""
        raise TypeError(
            f"function {debug_info.func_src_info} traced for {debug_info.traced_for} returned a "
            f"value of type {type(leaf)}{extra}, which is not a valid JAX type") from None
    lifted = trace.lift(leaf)
    if is_ref(lifted.aval) and process.current().config.value("jax_mutable_array_checks"):
        path = signature.result_paths(result)[index]
        where = "" if path == "result" else f" at output tree path {path}"
        raise ValueError(
            f"function {debug_info.func_src_info} traced for {debug_info.traced_for} returned a "
            f"mutable array reference of type {lifted.aval.str_short()}{where}, but mutable array "
            f"references cannot be returned.{_ref_origin(trace, lifted.atom, debug_info)}")
    return lifted


def _ref_origin(trace: DynamicJaxprTrace, atom: Any, debug_info: DebugInfo) -> str:
    said = "\n\nThe returned mutable array was"
    for eqn in trace.eqns:
        if atom in eqn.outvars:
            return f"{said} created on line {source.frames(eqn.context.place)}."
    if atom in trace.invars and debug_info.arg_names is not None:
        return f"{said} passed in as the argument {debug_info.arg_names[trace.invars.index(atom)]}."
    return ""
