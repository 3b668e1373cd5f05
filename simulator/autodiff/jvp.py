"""Forward mode: every value carries its tangent along.

Under a `JVPTrace` an operation with a perturbed argument runs its JVP rule, which
computes result and tangent together, under the trace around. Operations without a
perturbed argument go there as they are.

JAX source: ``jax/_src/interpreters/ad.py: jvp, JVPTrace, JVPTracer, jvp_jaxpr,
maybe_jvp_tracer``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simulator import traces, tracing
from simulator.autodiff import custom_lin
from simulator.autodiff.memo import by_jaxpr
from simulator.autodiff.zeros import (
    Zero,
    add,
    from_symbolic,
    instantiate,
    is_zero,
    tangent_aval,
    to_symbolic,
    zero_of,
)
from simulator.device_arrays.values import abstractify
from simulator.errors import OutOfScope
from simulator.functions import signature
from simulator.jaxprs import applying
from simulator.jaxprs.jaxpr import Jaxpr
from simulator.jaxprs.pruning import unnamed
from simulator.jaxprs.tracer import Tracer
from simulator.types import dtypes


class Tag:
    """One differentiation: its tracers are told from others by it."""


class JVPTrace(traces.Trace):
    """Differentiates forward.

    Args:
      parent: the trace that computes.
      tag: which differentiation this is.
    """

    def __init__(self, parent: traces.Trace, tag: Tag):
        super().__init__(parent)
        self.tag = tag

    def pair(self, value: Any) -> tuple[Any, Any]:
        """(value, tangent), taken apart if the value is ours."""
        if isinstance(value, JVPTracer) and value._trace.tag is self.tag:
            return value.primal, value.tangent
        return value, zero_of(value)

    def process_primitive(self, primitive: Any, args: Any, params: dict) -> Any:
        primals, tangents = _unzip(map(self.pair, args))
        if all(map(is_zero, tangents)):
            return primitive.bind_with(self.parent, primals, params)
        if primitive.jvp is None:
            raise refused(primitive)
        with traces.current_trace(self.parent):
            out, tangent = primitive.jvp(primals, tangents, **params)
        if primitive.multiple_results:
            return [tracer(self, x, t) for x, t in zip(out, tangent, strict=True)]
        return tracer(self, out, tangent)

    def stage_value(self, value: Any) -> Any:
        primal, tangent = self.pair(value)
        return tracer(self, self.parent.stage_value(primal),
                      tangent if is_zero(tangent) else self.parent.stage_value(tangent))

    def process_custom_jvp_call(self, primitive: Any, fun: Callable, jvp: Any, args: Any,
                                symbolic_zeros: bool) -> list:
        primals, tangents = _unzip(map(self.pair, args))
        if all(map(is_zero, tangents)):
            return primitive.bind_with(self.parent, primals, {
                "fun": fun, "jvp": jvp, "symbolic_zeros": symbolic_zeros})
        with traces.current_trace(self.parent):
            given = [to_symbolic(t) if symbolic_zeros else instantiate(t) for t in tangents]
            outs = jvp(*primals, *given)
        n = len(outs) // 2
        return [tracer(self, x, from_symbolic(t)) for x, t in zip(outs[:n], outs[n:])]

    def process_custom_vjp_call(self, primitive: Any, fun: Callable, fwd: Any, bwd: Any,
                                args: Any, out_trees: Callable, symbolic_zeros: bool) -> list:
        primals, tangents = _unzip(map(self.pair, args))
        if all(map(is_zero, tangents)):
            return primitive.bind_with(self.parent, primals, {
                "fun": fun, "fwd": fwd, "bwd": bwd, "out_trees": out_trees,
                "symbolic_zeros": symbolic_zeros})
        with traces.current_trace(self.parent):
            res, outs = custom_lin.forward(fwd, primals, tangents, out_trees)
            tangents_out = custom_lin.bind(res, outs, tangents, bwd, symbolic_zeros)
        return [tracer(self, x, t) for x, t in zip(outs, tangents_out)]


def _unzip(pairs: Any) -> tuple[list, list]:
    pairs = list(pairs)
    return [a for a, _ in pairs], [b for _, b in pairs]


# JAX has no rule for these either.
_NEVER = frozenset({"clz", "custom_lin", "nextafter", "pmax", "pmin", "population_count", "random_clone",
                    "reduce_and", "reduce_xor", "threefry2x32"})


def refused(primitive: Any) -> Exception:
    """For a primitive without a rule."""
    if primitive.name in _NEVER:
        return NotImplementedError(
            f"Differentiation rule for '{primitive.name}' not implemented")
    return OutOfScope(f"differentiating {primitive.name}")


class PairTracer(Tracer):
    """A value together with its tangent."""

    __slots__ = ("primal", "tangent")

    def __init__(self, trace: traces.Trace, primal: Any, tangent: Any):
        super().__init__(trace, abstractify(primal))
        self.primal, self.tangent = primal, tangent

    def full_lower(self) -> Any:
        return traces.full_lower(self.primal) if is_zero(self.tangent) else self

    def to_concrete_value(self) -> Any:
        return concrete_value(self.primal)


class JVPTracer(PairTracer):
    """A value together with its tangent, which is a value, too."""

    __slots__ = ()

    def short_repr(self) -> str:
        """Both parts. JAX source: ``jax/_src/interpreters/ad.py: JVPTracer._short_repr``."""
        return f"JVPTracer(primal={_short(self.primal)}, tangent={_short(self.tangent)})"


JVPTracer.__module__ = "jax._src.interpreters.ad"


def concrete_value(value: Any) -> Any:
    """The number behind a value, None when there is none yet."""
    return value.to_concrete_value() if isinstance(value, Tracer) else value


def _short(value: Any) -> str:
    return value.short_repr() if isinstance(value, Tracer) else str(value)


def tracer(trace: JVPTrace, primal: Any, tangent: Any) -> Any:
    """A tracer, or the value itself when its tangent is zero."""
    if is_zero(tangent) or abstractify(tangent).dtype is dtypes.float0:
        return primal
    return JVPTracer(trace, primal, tangent)


def jvp(fun: Callable, primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[list, list, Any]:
    """Run `fun` on values with tangents.

    Args:
      fun: takes the flat values; returns (flat results, anything).

    Returns:
      Results, their tangents (`Zero` where known), and the other thing as it came.
    """
    trace = JVPTrace(traces.current(), Tag())
    tangents = [zero_of(t) if not is_zero(t) and abstractify(t).dtype is dtypes.float0 else t
                for t in tangents]
    ins = [tracer(trace, x, t) for x, t in zip(primals, tangents, strict=True)]
    with traces.current_trace(trace):
        outs, more = fun(*ins)
    primals_out, tangents_out = _unzip(map(trace.pair, outs))
    return primals_out, tangents_out, _strip(more, JVPTracer, trace.tag)


def _strip(more: Any, kind: type, tag: Any) -> Any:
    from simulator.trees import pytrees

    def strip(x: Any) -> Any:
        return x.primal if isinstance(x, kind) and x._trace.tag is tag else x
    return None if more is None else pytrees.tree_map(strip, more)


def jvp_jaxpr(jaxpr: Jaxpr, nonzeros: Sequence[bool], keep: Sequence[bool] | bool = False
              ) -> tuple[Jaxpr, list[bool]]:
    """The jaxpr of results and tangents.

    Args:
      nonzeros: which parameters have a tangent; those follow behind the parameters.
      keep: results whose tangent is wanted even if it is zero.

    Returns:
      The jaxpr, whose results are the old ones and then the tangents that are not
      zero; and which are not.
    """
    if isinstance(keep, bool):
        keep = [keep] * len(jaxpr.outvars)
    return _jvp_jaxpr(jaxpr, tuple(nonzeros), tuple(keep))


@by_jaxpr
def _jvp_jaxpr(jaxpr: Jaxpr, nonzeros: tuple, keep: tuple) -> tuple[Jaxpr, list[bool]]:
    found: list[bool] = []

    def f_jvp_traceable(primals: tuple, nonzero_tangents: tuple) -> list:
        tangents = [Zero(tangent_aval(v.aval)) if t is None else t
                    for v, t in zip(jaxpr.invars, nonzero_tangents)]
        outs, tangents_out, _ = jvp(lambda *ins: (applying.call(jaxpr, ins), None),
                                    primals, tangents)
        tangents_out = [instantiate(t) if k else t for t, k in zip(tangents_out, keep)]
        found.extend(not is_zero(t) for t in tangents_out)
        return [*outs, *[t for t in tangents_out if not is_zero(t)]]

    # A tangent that is zero has a place among the arguments, but no leaf.
    avals = [v.aval for v in jaxpr.invars]
    tangents = [tangent_aval(a) if nz else None for a, nz in zip(avals, nonzeros)]
    call = signature.flatten_call((tuple(avals), tuple(tangents)), {})
    traced = tracing.trace_to_jaxpr(f_jvp_traceable, call, unnamed(jaxpr.debug_info))
    # `pe.trace_to_jaxpr` names the results of a flat function by their numbers.
    info = traced.jaxpr.debug_info
    traced.jaxpr.debug_info = info and info._replace(
        result_paths=tuple(f"result[{i}]" for i in range(len(traced.jaxpr.outvars))))
    return traced.jaxpr, found


def linear(primitive: Any) -> Callable:
    """The JVP rule of a linear primitive: the tangents go the same way."""
    def rule(primals: list, tangents: list, **params: Any) -> tuple:
        out = primitive.bind(*primals, **params)
        if all(map(is_zero, tangents)):
            return out, (list(map(zero_of, out)) if primitive.multiple_results else zero_of(out))
        return out, primitive.bind(*map(instantiate, tangents), **params)
    return rule


def standard(primitive: Any, *rules: Callable | None, with_result: bool = False) -> Callable:
    """The JVP rule of a primitive with one result, from one rule per argument.

    Args:
      rules: ``(tangent, *primals, **params) -> tangent of the result``, or None where the
        derivative is zero.
      with_result: the rules also get the result, after the tangent.
    """
    def rule(primals: list, tangents: list, **params: Any) -> tuple:
        out = primitive.bind(*primals, **params)
        before = (out,) if with_result else ()
        # One after the other: what they stage is added up at the end.
        parts = [r(t, *before, *primals, **params) for r, t in zip(rules, tangents)
                 if r is not None and not is_zero(t)]
        total: Any = zero_of(out)
        for part in parts:
            total = add(total, part)
        return out, total
    return rule


def vanishing(primitive: Any) -> Callable:
    """The JVP rule of a primitive whose derivative is zero."""
    def rule(primals: list, tangents: list, **params: Any) -> tuple:
        out = primitive.bind(*primals, **params)
        return out, (list(map(zero_of, out)) if primitive.multiple_results else zero_of(out))
    return rule
