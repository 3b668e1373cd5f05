"""Reverse mode, first half: compute, and write the linear part down.

Under a `LinearizeTrace` results are computed by the trace around, while what happens to
the tangents is written into a jaxpr of its own: the linear function. Gradients are that
jaxpr run backwards (`simulator.autodiff.backward`).

JAX source: ``jax/_src/interpreters/ad.py: linearize, LinearizeTrace, linearize_jaxpr,
linearize_from_jvp, fallback_linearize_rule``.

Simplified: structured residuals, which only types of the user's own have, are empty: kept
is their structure, a list per jitted function, loop and mapped function on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simulator import traces
from simulator.autodiff import custom_lin, partial_eval
from simulator.autodiff.jvp import PairTracer, Tag, _short, _strip, _unzip, refused
from simulator.autodiff.memo import by_jaxpr
from simulator.autodiff.zeros import (
    SymbolicZero,
    Zero,
    from_symbolic,
    instantiate,
    is_zero,
    tangent_aval,
    zero_of,
    zeros,
)
from simulator.device_arrays.values import abstractify
from simulator.jaxprs import applying, dynamic_trace, pruning
from simulator.jaxprs.jaxpr import DebugInfo, Jaxpr
from simulator.named_tuples import NamedTuple
from simulator.types import dtypes


class Linear(NamedTuple):
    """What a linearization rule gives.

    Args:
      outs: the results.
      nonzeros: which of them have a tangent.
      residuals: values that the linear part needs.
      apply: ``(residuals, tangents) -> tangents``; run under the trace that writes the
        linear part down.
      structured: the structured residuals, None for a rule that knows none.
    """

    outs: list
    nonzeros: list[bool]
    residuals: list
    apply: Callable
    structured: list | None = None


class LinearizeTrace(traces.Trace):
    """Computes under `parent`, writes the tangents' way into `tangents`.

    `is_vjp`: whether the linear part will be run backwards.
    """

    def __init__(self, parent: traces.Trace, tangents: dynamic_trace.DynamicJaxprTrace, is_vjp: bool):
        super().__init__(parent)
        self.tangents, self.is_vjp = tangents, is_vjp
        self.tag = Tag()
        self.structured: list = []

    def pair(self, value: Any) -> tuple[Any, Any]:
        """(value, tangent), taken apart if the value is ours."""
        if isinstance(value, LinearizeTracer) and value._trace.tag is self.tag:
            return value.primal, value.tangent
        return value, zero_of(value)

    def process_primitive(self, primitive: Any, args: Any, params: dict) -> Any:
        primals, tangents = _unzip(map(self.pair, args))
        if all(map(is_zero, tangents)):
            return primitive.bind_with(self.parent, primals, params)
        nonzeros = [not is_zero(t) for t in tangents]
        with traces.current_trace(self.parent):
            if primitive.linearize is not None:
                linear = primitive.linearize(self.is_vjp, nonzeros, primals, params)
            elif primitive.jvp is not None:
                linear = from_jvp(primitive, nonzeros, primals, params)
            else:
                raise refused(primitive)
        outs = self._linear(linear, tangents)
        return outs if primitive.multiple_results else outs[0]

    def _linear(self, linear: Linear, tangents: list) -> list:
        if linear.structured is not None:
            self.structured.append(linear.structured)
        with traces.current_trace(self.tangents):
            outs = linear.apply(linear.residuals, tangents)
        return [tracer(self, x, t if nz else zero_of(x))
                for x, nz, t in zip(linear.outs, linear.nonzeros, outs)]

    def stage_value(self, value: Any) -> Any:
        primal, tangent = self.pair(value)
        return tracer(self, self.parent.stage_value(primal),
                      tangent if is_zero(tangent) else self.tangents.stage_value(tangent))

    def process_custom_jvp_call(self, primitive: Any, fun: Callable, jvp: Any, args: Any,
                                symbolic_zeros: bool) -> list:
        primals, tangents = _unzip(map(self.pair, args))
        if all(map(is_zero, tangents)):
            return primitive.bind_with(self.parent, primals, {
                "fun": fun, "jvp": jvp, "symbolic_zeros": symbolic_zeros})

        def rule(primals: list, tangents: list) -> tuple:
            outs = jvp(*primals, *tangents)
            n = len(outs) // 2
            return outs[:n], outs[n:]

        with traces.current_trace(self.parent):
            linear = _partially(rule, True, [not is_zero(t) for t in tangents], primals, {},
                                SymbolicZero if symbolic_zeros else zeros,
                                SymbolicZero if symbolic_zeros else Zero)
        with traces.current_trace(self.tangents):
            outs = [from_symbolic(t) for t in linear.apply(linear.residuals, tangents)]
        return [tracer(self, x, t) for x, t in zip(linear.outs, outs)]

    def process_custom_vjp_call(self, primitive: Any, fun: Callable, fwd: Any, bwd: Any,
                                args: Any, out_trees: Callable, symbolic_zeros: bool) -> list:
        primals, tangents = _unzip(map(self.pair, args))
        if all(map(is_zero, tangents)):
            return primitive.bind_with(self.parent, primals, {
                "fun": fun, "fwd": fwd, "bwd": bwd, "out_trees": out_trees,
                "symbolic_zeros": symbolic_zeros})
        with traces.current_trace(self.parent):
            residuals, outs = custom_lin.forward(fwd, primals, tangents, out_trees)
        with traces.current_trace(self.tangents):
            tangents_out = custom_lin.bind(residuals, outs, tangents, bwd, symbolic_zeros)
        return [tracer(self, x, t) for x, t in zip(outs, tangents_out)]


class LinearizeTracer(PairTracer):
    """A value together with its tangent, which is a variable of the linear part."""

    __slots__ = ()

    def short_repr(self) -> str:
        """The primal, and the tangent's type. JAX source: ``jax/_src/interpreters/ad.py:
        LinearizeTracer._short_repr``."""
        return (f"GradTracer(primal={_short(self.primal)}, "
                f"typeof(tangent)={self.tangent.aval.str_short(True)})")


LinearizeTracer.__module__ = "jax._src.interpreters.ad"


def tracer(trace: LinearizeTrace, primal: Any, tangent: Any) -> Any:
    """A tracer, or the value itself when its tangent is zero."""
    return primal if is_zero(tangent) else LinearizeTracer(trace, primal, tangent)


def from_jvp(primitive: Any, nonzeros: list[bool], primals: list, params: dict) -> Linear:
    """A linearization out of a primitive's JVP rule."""
    return _partially(primitive.jvp, primitive.multiple_results, nonzeros, primals, params,
                      Zero, Zero)


def _partially(rule: Callable, multiple: bool, nonzeros: list[bool], primals: list, params: dict,
               make_zero: Callable, zero: type) -> Linear:
    # Run the JVP rule with known primals and unknown tangents; what is left unknown is
    # the linear part.
    trace = partial_eval.JaxprTrace(traces.current())
    avals = [tangent_aval(abstractify(p)) for p in primals]
    nonzeros = [nz and a.dtype is not dtypes.float0 for nz, a in zip(nonzeros, avals)]
    with traces.current_trace(trace):
        given = [trace.new_arg(a) if nz else make_zero(a) for a, nz in zip(avals, nonzeros)]
        outs, tangents = rule(list(primals), given, **params)
    if not multiple:
        outs, tangents = [outs], [tangents]
    known = [trace.lift(o) for o in outs]
    if not all(k.known for k in known):
        raise ValueError("Linearization failed to produce known values for all output primals. "
                         "This is typically caused by attempting to differentiate a function uses "
                         "an operation that does not support reverse-mode autodiff.")
    values = [k.value for k in known]
    out_nonzeros = [type(t) is not zero and not trace.lift(t).known for t in tangents]
    left = [trace.lift(t) for t, nz in zip(tangents, out_nonzeros) if nz]
    jaxpr, consts = partial_eval.to_jaxpr(
        [t for t, nz in zip(given, nonzeros) if nz], left, trace.effectful, _INFO)
    jaxpr, consts = dce_consts(jaxpr, consts)

    def apply(residuals: list, tangents: list) -> list:
        ins = [t for t, nz in zip(tangents, nonzeros) if nz]
        rest = iter(applying.eval_jaxpr(jaxpr, [*residuals, *ins]))
        return [next(rest) if nz else zero_of(x) for x, nz in zip(values, out_nonzeros)]
    return Linear(values, out_nonzeros, consts, apply)


_INFO = DebugInfo("linearize_prim_jvp", "jvp rule", None, None)


def dce_consts(jaxpr: Jaxpr, consts: Sequence[Any]) -> tuple[Jaxpr, list]:
    """Drop what the results do not need, and the constants nobody needs then."""
    rest = len(jaxpr.invars) - len(consts)
    jaxpr, used = pruning.dce(jaxpr, True, [False] * len(consts) + [True] * rest)
    return jaxpr, [c for c, u in zip(consts, used) if u]


def opened(trace: dynamic_trace.DynamicJaxprTrace, outs: list, info: DebugInfo) -> tuple[Jaxpr, list]:
    """The jaxpr of what was traced, its constants as leading parameters; and those."""
    jaxpr = trace.finish([trace.lift(o) for o in outs], info)
    consts = jaxpr.consts
    return dce_consts(pruning.open_consts(jaxpr), consts)


def linearize(fun: Callable, primals: Sequence[Any], info: DebugInfo, is_vjp: bool
              ) -> tuple[list, list[bool], Jaxpr, list, list, Any]:
    """Compute, and write down the linear part.

    Args:
      fun: takes the flat values; returns (flat results, anything).

    Returns:
      Results; which have a tangent; the linear jaxpr, of the residuals and then all
      tangents, giving the tangents that are not zero; the residuals, the structured
      ones; the other thing.
    """
    tangents = dynamic_trace.DynamicJaxprTrace()
    trace = LinearizeTrace(traces.current(), tangents, is_vjp)
    ins = []
    for p in primals:
        aval = tangent_aval(abstractify(p))
        t = tangents.new_arg(aval)
        ins.append(p if aval.dtype is dtypes.float0 else LinearizeTracer(trace, p, t))
    with traces.current_trace(trace):
        outs, more = fun(*ins)
    primals_out, tangents_out = _unzip(map(trace.pair, outs))
    nonzeros = [not is_zero(t) for t in tangents_out]
    jaxpr, consts = opened(tangents, [t for t in tangents_out if not is_zero(t)], info)
    tangents.close()
    return (primals_out, nonzeros, jaxpr, consts, trace.structured,
            _strip(more, LinearizeTracer, trace.tag))


class LinearizedJaxpr(NamedTuple):
    """Two jaxprs for one.

    Args:
      forward: gives the results, then the residuals that are not forwarded.
      num_res: how many residuals `forward` gives.
      nonzeros: which results have a tangent.
      forwards: per residual of `tangent`: the constant or parameter that it is, or None.
      tangent: of the residuals, then the tangents that are not zero.
      structured: the structured residuals.
    """

    forward: Jaxpr
    num_res: int
    nonzeros: list[bool]
    forwards: list[int | None]
    tangent: Jaxpr
    structured: list


def linearize_jaxpr(jaxpr: Jaxpr, nonzeros: Sequence[bool], keep: Sequence[bool] | bool = False,
                    allow_forwards: Sequence[bool] | bool = True, is_vjp: bool = False
                    ) -> LinearizedJaxpr:
    """Linearize a jaxpr. `keep`: results whose tangent is wanted even if it is zero.

    `is_vjp` changes nothing in the result, but it is part of the key: `jax.linearize`
    after `jax.grad` makes jaxprs of its own.
    """
    if isinstance(keep, bool):
        keep = [keep] * len(jaxpr.outvars)
    if isinstance(allow_forwards, bool):
        allow_forwards = [allow_forwards] * (len(jaxpr.consts) + len(jaxpr.invars))
    return _linearize_jaxpr(jaxpr, tuple(nonzeros), tuple(keep), tuple(allow_forwards),
                            is_vjp)


@by_jaxpr
def _linearize_jaxpr(jaxpr: Jaxpr, nonzeros: tuple, keep: tuple, allow_forwards: tuple,
                     is_vjp: bool) -> LinearizedJaxpr:
    info = pruning.unnamed(jaxpr.debug_info)
    forward, tangents = dynamic_trace.DynamicJaxprTrace(), dynamic_trace.DynamicJaxprTrace()
    trace = LinearizeTrace(forward, tangents, is_vjp)
    ins = []
    for v, nz in zip(jaxpr.invars, nonzeros):
        primal, aval = forward.new_arg(v.aval), tangent_aval(v.aval)
        ins.append(LinearizeTracer(trace, primal, tangents.new_arg(aval) if nz else Zero(aval)))
    with traces.current_trace(trace):
        outs, tangents_out = _unzip(map(trace.pair, applying.eval_jaxpr(jaxpr, ins)))
        tangents_out = [instantiate(t) if k else t for t, k in zip(tangents_out, keep)]
    out_nonzeros = [not is_zero(t) for t in tangents_out]
    tangent, consts = opened(tangents, [t for t in tangents_out if not is_zero(t)], info)
    tangents.close()
    index = {id(x): i for i, (x, ok) in enumerate(zip(
        (*jaxpr.consts, *[t.primal for t in ins]), allow_forwards)) if ok}
    forwards = [index.get(id(c)) for c in consts]
    residuals = [c for c, f in zip(consts, forwards) if f is None]
    done, fwd_consts = opened(forward, [*outs, *residuals], info)
    forward.close()
    n = len(fwd_consts)
    done = done.replace(constvars=done.invars[:n], consts=fwd_consts, invars=done.invars[n:])
    return LinearizedJaxpr(done, len(residuals), out_nonzeros, forwards, tangent,
                           trace.structured)

