"""Computing what is known and writing down the rest.

Under a `JaxprTrace` a value is known or unknown. An operation on known values is
computed by the trace around; one with an unknown argument becomes an equation. Where a
primitive has only a JVP rule, this is how its linear part is found: primals known,
tangents unknown.

JAX source: ``jax/_src/interpreters/partial_eval.py: JaxprTrace, JaxprTracer,
tracers_to_jaxpr, partial_eval_jaxpr_nounits_fwd``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from simulator import process, traces, tracing
from simulator.autodiff.memo import by_jaxpr
from simulator.autodiff.order import topological
from simulator.device_arrays.values import abstractify, is_scalar_constant
from simulator.functions import signature
from simulator.jaxprs import applying, dynamic_trace, origins
from simulator.jaxprs.jaxpr import DebugInfo, DropVar, Eqn, EqnContext, Jaxpr, Literal, Var
from simulator.jaxprs.pruning import open_consts, unnamed
from simulator.jaxprs.tracer import Tracer
from simulator.named_tuples import NamedTuple
from simulator.placement import mesh
from simulator.running import source


class Recipe(NamedTuple):
    """The equation an unknown value comes from. `outs` are the tracers of its results."""

    number: int
    ins: list
    outs: list
    primitive: Any
    params: dict
    effects: frozenset
    context: EqnContext


class Const(NamedTuple):
    """An unknown that is a known value made part of the jaxpr."""

    value: Any


class JaxprTracer(Tracer):
    """A known value, or an unknown with its `origin`: Recipe, Const, Literal, or None for
    a parameter."""

    __slots__ = ("known", "value", "origin")

    def __init__(self, trace: JaxprTrace, aval: Any, known: bool, value: Any = None,
                 origin: Any = None):
        super().__init__(trace, aval)
        self.known, self.value, self.origin = known, value, origin

    def full_lower(self) -> Any:
        return traces.full_lower(self.value) if self.known else self

    def __repr__(self) -> str:
        return f"Traced<{self.aval}:{self._trace!r}>"


JaxprTracer.__module__ = "jax._src.interpreters.partial_eval"


class JaxprTrace(traces.Trace):
    """Computes the known, writes down the unknown."""

    def __init__(self, parent: traces.Trace):
        super().__init__(parent)
        self._numbers = itertools.count()
        self.effectful: list[Recipe] = []

    def lift(self, value: Any) -> JaxprTracer:
        """Any value as one of ours."""
        if isinstance(value, JaxprTracer) and value._trace is self:
            return value
        return JaxprTracer(self, abstractify(value), True, value)

    def stage_value(self, value: Any) -> Any:
        return self.lift(value)

    def new_arg(self, aval: Any) -> JaxprTracer:
        """An unknown parameter."""
        return JaxprTracer(self, aval, False)

    def unknown(self, value: Any) -> JaxprTracer:
        """A known value as part of the jaxpr."""
        tracer = self.lift(value)
        if not tracer.known:
            return tracer
        if is_scalar_constant(tracer.value):
            return JaxprTracer(self, tracer.aval, False,
                               origin=Literal(tracer.value, tracer.aval))
        return JaxprTracer(self, tracer.aval, False, origin=Const(tracer.value))

    def constant(self, value: Any) -> JaxprTracer:
        """A known value as part of the jaxpr, never written in place."""
        return JaxprTracer(self, abstractify(value), False, origin=Const(value))

    def process_primitive(self, primitive: Any, args: Any, params: dict) -> Any:
        with traces.current_trace(self.parent):
            tracers = [self.lift(a) for a in args]
            if primitive.partial_eval is not None:
                return primitive.partial_eval(self, tracers, params)
            return self.default(primitive, tracers, params)

    def default(self, primitive: Any, tracers: list[JaxprTracer], params: dict) -> Any:
        """Known results from known arguments, else an equation."""
        if all(t.known for t in tracers):
            return primitive.bind_with(self.parent, [t.value for t in tracers], params)
        ins = [self.unknown(t) for t in tracers]
        out = primitive.abstract(*[t.aval for t in ins], **params)
        avals = list(out) if primitive.multiple_results else [out]
        effects = primitive.effects(params) if primitive.effects else frozenset()
        outs = self.emit(primitive, ins, avals, params, effects)
        return outs if primitive.multiple_results else outs[0]

    def emit(self, primitive: Any, ins: list, avals: Sequence[Any], params: dict,
             effects: frozenset) -> list[JaxprTracer]:
        """Write down an equation."""
        outs = [JaxprTracer(self, a, False) for a in avals]
        setting = EqnContext(source.here(within=dynamic_trace.SCOPE), mesh.get_abstract_mesh(),
                             process.current().config.value("jax_threefry_partitionable"))
        recipe = Recipe(next(self._numbers), ins, outs, primitive, params, effects, setting)
        for out in outs:
            out.origin = recipe
        if effects:
            self.effectful.append(recipe)
        return outs

    def process_custom_jvp_call(self, primitive: Any, fun: Callable, jvp: Any, args: Any,
                                symbolic_zeros: bool) -> list:
        tracers = [self.lift(a) for a in args]
        if all(t.known for t in tracers):
            with traces.current_trace(self.parent):
                return primitive.bind(*[t.value for t in tracers], fun=fun, jvp=jvp,
                                      symbolic_zeros=symbolic_zeros)
        # What is left is linear: the rule is not needed any more.
        with traces.current_trace(self):
            return fun(*tracers)

    def process_custom_vjp_call(self, primitive: Any, fun: Callable, fwd: Any, bwd: Any,
                                args: Any, out_trees: Callable, symbolic_zeros: bool) -> list:
        tracers = [self.lift(a) for a in args]
        if all(t.known for t in tracers):
            with traces.current_trace(self.parent):
                return primitive.bind(*[t.value for t in tracers], fun=fun, fwd=fwd, bwd=bwd,
                                      out_trees=out_trees, symbolic_zeros=symbolic_zeros)
        from simulator.errors import OutOfScope
        raise OutOfScope("a custom_vjp function of tangents inside a JVP rule",
                         "apply it to primal values")


def to_jaxpr(ins: Sequence[JaxprTracer], outs: Sequence[JaxprTracer], effectful: Sequence[Recipe],
             debug_info: DebugInfo) -> tuple[Jaxpr, list]:
    """What leads from the unknown `ins` to the `outs`, and nothing else.

    Returns:
      The jaxpr, with the constants as leading parameters, and the constants.
    """
    def parents(item: Any) -> Sequence[Any]:
        origin = item if isinstance(item, Recipe) else item.origin
        return origin.ins if isinstance(origin, Recipe) else ()

    env: dict[int, Any] = {id(t): Var(t.aval) for t in ins}
    consts: dict[int, tuple[Var, Any]] = {}
    recipes: dict[int, Recipe] = {}
    reached = topological([*ins, *outs, *effectful], parents)
    used = set(map(id, reached))
    for item in reached:
        origin = item if isinstance(item, Recipe) else item.origin
        if isinstance(origin, Recipe):
            recipes[origin.number] = origin
        elif isinstance(origin, Literal):
            env[id(item)] = origin
        elif isinstance(origin, Const):
            known = consts.setdefault(id(origin.value), (Var(item.aval), origin.value))
            env[id(item)] = known[0]
        elif id(item) not in env:
            raise origins.escaped(item)
    eqns = []
    for _, r in sorted(recipes.items()):
        outvars = [(Var if id(t) in used else DropVar)(t.aval) for t in r.outs]
        eqns.append(Eqn([env[id(t)] for t in r.ins], outvars, r.primitive, r.params, r.effects,
                        r.context))
        env.update((id(t), v) for t, v in zip(r.outs, outvars))
    effects = frozenset().union(*[e.effects for e in eqns])
    pairs = list(consts.values())
    jaxpr = Jaxpr([], [], [v for v, _ in pairs] + [env[id(t)] for t in ins],
                  [env[id(t)] for t in outs], eqns, effects, debug_info)
    return jaxpr, [c for _, c in pairs]


class Unzipped(NamedTuple):
    """A jaxpr in two parts.

    Args:
      known: of the known parameters; gives the known results, then the residuals.
      unknown: of the residuals, then the unknown parameters.
      out_unknown: which results are unknown.
      num_res: how many residuals `known` gives.
      forwards: per residual of `unknown`: the constant or known parameter that it is, or
        None when `known` gives it.
    """

    known: Jaxpr
    unknown: Jaxpr
    out_unknown: list[bool]
    num_res: int
    forwards: list[int | None]


@by_jaxpr
def unzip(jaxpr: Jaxpr, in_unknown: tuple, keep: tuple = (), forward: bool | tuple = True
          ) -> Unzipped:
    """Part a jaxpr into what the known parameters determine and the rest.

    Args:
      keep: one bool per result, or nothing: results to be unknown in any case.
      forward: whether residuals that are parameters are told instead of given; or one
        bool per parameter.
    """
    found: list = []

    def fun(*known_in: Any) -> list:
        rest = iter(known_in)
        trace = JaxprTrace(traces.current())
        args = [trace.new_arg(v.aval) if u else next(rest)
                for v, u in zip(jaxpr.invars, in_unknown)]
        with traces.current_trace(trace):
            outs = [trace.lift(o) for o in applying.call(jaxpr, args)]
            outs = [trace.unknown(o) if k else o
                    for o, k in zip(outs, keep or [False] * len(outs))]
        unknown, residuals = to_jaxpr([a for a, u in zip(args, in_unknown) if u],
                                      [o for o in outs if not o.known], trace.effectful,
                                      unnamed(jaxpr.debug_info))
        allowed = [f for f, u in zip(forward, in_unknown) if not u] if isinstance(
            forward, tuple) else [forward] * len(known_in)
        own = {id(x) for x, ok in zip(known_in, allowed) if ok}
        n = len(jaxpr.consts)
        index = {id(x): n + i for i, x in enumerate(known_in) if id(x) in own}
        # Constants count as forwarded only when some parameter is.
        if any(id(r) in own for r in residuals):
            index |= {id(x): i for i, x in enumerate(jaxpr.consts)}
        forwards = [index.get(id(r)) for r in residuals]
        fresh = [r for r, f in zip(residuals, forwards) if f is None]
        found.append((open_consts(unknown), [not o.known for o in outs], len(fresh), forwards))
        return [*[o.value for o in outs if o.known], *fresh]

    avals = [v.aval for v, u in zip(jaxpr.invars, in_unknown) if not u]
    call = signature.flatten_call((0,) * len(avals), {}).with_leaves(avals)
    traced = tracing.trace_to_jaxpr(fun, call, unnamed(jaxpr.debug_info))
    return Unzipped(traced.jaxpr, *found[0])
