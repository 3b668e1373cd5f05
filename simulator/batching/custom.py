"""``vmap`` of functions with derivative rules of their own.

The function and its rules are batched, none of them is run: which one runs is decided
by the trace around. What each of them is told about mapped axes comes out when it runs.

JAX source: ``jax/_src/interpreters/batching.py: BatchTrace.process_custom_jvp_call,
BatchTrace.process_custom_vjp_call, batch_custom_jvp_subtrace, batch_custom_vjp_bwd``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator import traces
from simulator.autodiff.zeros import SymbolicZero, Zero
from simulator.batching import axes
from simulator.batching.trace import AxisData, BatchTrace


class Batched:
    """A flat function on whole arrays. `dims` is where its results were mapped.

    Args:
      fun: on single elements; keeps its name, and `info` if it has one.
      in_dims: the mapped axis per argument, or a function that gives them.
      finish: ``(values, dims) -> (values, dims)``, applied to the results.
    """

    def __init__(self, fun: Callable, trace: BatchTrace, in_dims: Any,
                 finish: Callable | None = None):
        self.fun, self.trace, self.in_dims, self.finish = fun, trace, in_dims, finish
        self.__name__ = getattr(fun, "__name__", "<unknown>")
        self.info = getattr(fun, "info", None)
        self.dims: list | None = None

    def __call__(self, *args: Any) -> list:
        trace = BatchTrace(traces.current(), self.trace.tag, self.trace.axis)
        dims = self.in_dims() if callable(self.in_dims) else self.in_dims
        with traces.current_trace(trace):
            outs = self.fun(*[_element(trace, x, d) for x, d in zip(args, dims)])
        values, self.dims = trace.unwrap_all(outs)
        if self.finish is not None:
            values, self.dims = self.finish(values, self.dims)
        return values


def _element(trace: BatchTrace, value: Any, dim: int | None) -> Any:
    if type(value) is SymbolicZero and dim is not None:
        return SymbolicZero(axes.mapped(value.aval, dim))
    return trace.wrap(value, dim)


def _match(axis: AxisData, src: int | None, dst: int | None, x: Any, summed: bool = False) -> Any:
    if type(x) not in (Zero, SymbolicZero):
        return axes.match(axis, src, dst, x, summed)
    if src == dst:
        return x
    if src is None:
        return type(x)(axes.unmapped(x.aval, dst, axis.size, axis.part))
    inner = axes.mapped(x.aval, src)
    return type(x)(inner if dst is None else axes.unmapped(inner, dst, axis.size, axis.part))


def jvp_call(trace: BatchTrace, primitive: Any, fun: Callable, jvp: Any, args: Any,
             symbolic_zeros: bool) -> list:
    """Apply a custom_jvp function; see `simulator.traces`."""
    vals, dims = trace.unwrap_all(args)

    def finish(values: list, found: list) -> tuple[list, list]:
        n = len(values) // 2
        # A result and its tangent are mapped along the same axis.
        both = [p if p is not None else t for p, t in zip(found[:n], found[n:])]
        return [_match(trace.axis, src, dst, x)
                for x, src, dst in zip(values, found, both * 2)], both

    batched, rule = Batched(fun, trace, dims), Batched(jvp, trace, dims * 2, finish)
    outs = primitive.bind_with(trace.parent, vals, {
        "fun": batched, "jvp": rule, "symbolic_zeros": symbolic_zeros})
    out_dims: Any = batched.dims if batched.dims is not None else rule.dims
    return [trace.wrap(x, d) for x, d in zip(outs, out_dims)]


def vjp_call(trace: BatchTrace, primitive: Any, fun: Callable, fwd: Any, bwd: Any, args: Any,
             out_trees: Callable, symbolic_zeros: bool) -> list:
    """Apply a custom_vjp function; see `simulator.traces`."""
    vals, dims = trace.unwrap_all(args)
    batched = Batched(fun, trace, dims)
    forward = Batched(fwd, trace, [d for dim in dims for d in (dim, None)])

    def bwd_dims() -> list:
        given = iter(forward.dims or ())
        _, _, forwards = out_trees()
        return [*[next(given) if f is None else dims[f] for f in forwards], *given]

    def finish(values: list, found: list) -> tuple[list, list]:
        # The cotangent of what is not mapped is the sum over the elements.
        return [_match(trace.axis, src, dst, x, summed=True)
                for x, src, dst in zip(values, found, dims)], dims

    backward = Batched(bwd, trace, bwd_dims, finish)
    outs = primitive.bind_with(trace.parent, vals, {
        "fun": batched, "fwd": forward, "bwd": backward, "out_trees": out_trees,
        "symbolic_zeros": symbolic_zeros})
    out_dims: Any = batched.dims
    if out_dims is None:
        _, _, forwards = out_trees()
        out_dims = (forward.dims or [])[sum(f is None for f in forwards):]
    return [trace.wrap(x, d) for x, d in zip(outs, out_dims)]

