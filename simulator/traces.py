"""Traces: who receives a primitive when it is applied.

One trace is current at any moment. At top level it is `EVAL`, which computes. While
a function is traced for a jaxpr, differentiated or batched, it is another one, which
does its part and hands the rest to its *parent*, the trace that was current before.
There is no stack: a value of an outer trace is a constant for an inner one.

JAX source: ``jax/_src/core.py: Trace, EvalTrace, set_current_trace, TracingContext,
trace_state_clean``.

Simplified: while JAX processes a primitive, no trace is current; here the one that
was stays current, which only a rule that sets no trace of its own could notice.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from simulator import process
from simulator.configuration.axis_env import NO_AXES
from simulator.jaxprs.tracer import Tracer


class Trace:
    """What a primitive is handed to.

    Args:
      parent: the trace that takes what this one passes on; None for `EVAL`, and for
        a trace that passes nothing on.
    """

    def __init__(self, parent: Trace | None = None):
        self.parent = parent

    def process_primitive(self, primitive: Any, args: tuple, params: dict) -> Any:
        """Apply a primitive to values, some of which may be tracers of this trace."""
        raise NotImplementedError(f"{type(self).__name__}.process_primitive")

    def stage_value(self, value: Any) -> Any:
        """Take a value into the trace: an identity that leaves no equation behind."""
        raise NotImplementedError(f"{type(self).__name__}.stage_value")

    def process_custom_jvp_call(self, primitive: Any, fun: Callable, jvp: Any, args: Any,
                                symbolic_zeros: bool) -> list:
        """Apply a function with a JVP rule of its own; flat values in and out."""
        raise NotImplementedError(f"{type(self).__name__}.process_custom_jvp_call")

    def process_custom_vjp_call(self, primitive: Any, fun: Callable, fwd: Any, bwd: Any,
                                args: Any, out_trees: Callable, symbolic_zeros: bool) -> list:
        """Apply a function with a VJP rule of its own; flat values in and out."""
        raise NotImplementedError(f"{type(self).__name__}.process_custom_vjp_call")

    def __repr__(self) -> str:
        return type(self).__name__


class EvalTrace(Trace):
    """Computes: the trace at top level."""

    def process_primitive(self, primitive: Any, args: tuple, params: dict) -> Any:
        from simulator import dispatch
        with current_trace(self):
            if process.current().config.value("jax_debug_key_reuse"):
                from simulator.randomness import key_reuse
                return key_reuse.checked(primitive, dispatch.evaluate, args, params)
            return dispatch.evaluate(primitive, concrete(args), params)

    def stage_value(self, value: Any) -> Any:
        from simulator.device_arrays.arrays import Array
        from simulator.facade.jax.lax.convert import stage_p
        return value if isinstance(value, Array) else self.process_primitive(stage_p, (value,), {})

    def process_custom_jvp_call(self, primitive: Any, fun: Callable, jvp: Any, args: Any,
                                symbolic_zeros: bool) -> list:
        with current_trace(self):
            return fun(*args)

    def process_custom_vjp_call(self, primitive: Any, fun: Callable, fwd: Any, bwd: Any,
                                args: Any, out_trees: Callable, symbolic_zeros: bool) -> list:
        with current_trace(self):
            return fun(*args)


EVAL = EvalTrace()


def current() -> Trace:
    """The trace that primitives go to."""
    return process.current().thread.trace


class current_trace:
    """With this, `trace` is the one that primitives go to.

    The fast path's key holds it weakly (``trace_state``): what is cached under one
    trace never answers under another.
    """

    def __init__(self, trace: Trace):
        self._trace = trace

    def __enter__(self) -> None:
        self._here = here = process.current()
        self._before = here.thread.trace
        if self._before is not self._trace:
            self._state = here.config.swap_local("trace_state", _state(self._trace))
            here.thread.trace = self._trace

    def __exit__(self, *_: Any) -> None:
        if self._before is not self._trace:
            self._here.thread.trace = self._before
            self._here.config.set_local("trace_state", self._state)


def _state(trace: Trace) -> weakref.ref | None:
    return None if trace is EVAL else weakref.ref(trace)


def is_clean() -> bool:
    """Whether nothing is being transformed: `EVAL` is current and no axis has a name."""
    here = process.current()
    return here.thread.trace is EVAL and here.config.value("axis_env_state") == NO_AXES


def full_lower(value: Any) -> Any:
    """The value behind a tracer that stands for a known one, else the tracer itself."""
    return value.full_lower() if isinstance(value, Tracer) else value


def concrete(args: Any) -> list:
    """Arguments for a computation. UnexpectedTracerError when one is a tracer still."""
    lowered = [full_lower(a) for a in args]
    for arg in lowered:
        if isinstance(arg, Tracer):
            from simulator.jaxprs import origins
            raise origins.escaped(arg)
    return lowered
