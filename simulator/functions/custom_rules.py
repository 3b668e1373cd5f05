"""``jax.custom_jvp``, as far as it shows without differentiation.

Called eagerly the function just runs. Under a trace it becomes one equation with
the function's jaxpr inside; that trace asks no cache.

JAX source: ``jax/_src/custom_derivatives.py: custom_jvp``;
``jax/_src/interpreters/partial_eval.py:
DynamicJaxprTrace.process_custom_jvp_call``.

Simplified: the rules are kept and never used; `jax.grad` and `jax.jvp` are out of
scope.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from simulator import traces, tracing
from simulator.functions import signature
from simulator.jaxprs import evaluate
from simulator.jaxprs.jaxpr import Eqn, separate_consts
from simulator.jaxprs.tracer import Tracer
from simulator.primitives.core import Primitive
from simulator.trees import pytrees


class _Rule:
    """Prints as the rule's name in a jaxpr."""

    def __init__(self, function: Callable):
        self.function = function

    def __str__(self) -> str:
        return getattr(self.function, "__name__", str(self.function))


class custom_jvp:
    """A function with a derivative of its own.

    Args:
      fun: the function. nondiff_argnums: positions passed on as they are.

    Errors: AttributeError when called without a rule; TypeError for arguments
    that do not fit the function.
    """

    def __init__(self, fun: Callable, nondiff_argnums: Sequence[int] = ()):
        functools.update_wrapper(self, fun)
        self.fun = fun
        self.nondiff_argnums = tuple(nondiff_argnums)
        self.jvp: Callable | None = None
        self.symbolic_zeros = False

    def defjvp(self, jvp: Callable, symbolic_zeros: bool = False) -> Callable:
        """Set the rule; usable as a decorator."""
        self.jvp, self.symbolic_zeros = jvp, symbolic_zeros
        return jvp

    def defjvps(self, *jvps: Callable | None) -> None:
        """Set one rule per argument."""
        if self.nondiff_argnums:
            raise TypeError("Can't use ``defjvps`` with ``nondiff_argnums``.")

        def jvp(primals: Any, tangents: Any) -> Any:
            raise AssertionError("rules are never used here", jvps)
        self.defjvp(jvp)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        name = getattr(self.fun, "__name__", "<unnamed function>")
        if self.jvp is None:
            raise AttributeError(f"No JVP defined for custom_jvp function {name} using defjvp.")
        args = _positional(self.fun, name, args, kwargs)
        dynamic = [i for i in range(len(args)) if i not in self.nondiff_argnums]
        leaves, tree = pytrees.tree_flatten(tuple(args[i] for i in dynamic))
        fun_out: list = []

        def flat(*flat_args: Any) -> list:
            full = list(args)
            for i, value in zip(dynamic, tree.unflatten(flat_args)):
                full[i] = value
            outs, out_tree = pytrees.tree_flatten(self.fun(*full))
            fun_out.append(out_tree)
            return outs

        flat.__name__ = name
        outs = custom_jvp_call_p.bind(*leaves, fun=flat, jvp=_Rule(self.jvp),
                                      symbolic_zeros=self.symbolic_zeros)
        return fun_out[0].unflatten(outs)


def _positional(fun: Callable, name: str, args: tuple, kwargs: dict) -> tuple:
    import inspect
    try:
        bound = inspect.signature(fun).bind(*args, **kwargs)
        bound.apply_defaults()
        if bound.kwargs:
            raise TypeError("keyword arguments could not be resolved to positions")
    except TypeError as error:
        raise TypeError("The input arguments to the custom_jvp-decorated function "
                        f"{name} could not be resolved to positional-only arguments. Binding "
                        f"failed with the error:\n{error}") from error
    return bound.args


def _stage(trace: Any, tracers: list, params: dict) -> list:
    inner = tracing.DynamicJaxprTrace(trace)
    try:
        with traces.current_trace(inner):
            outs = params["fun"](*[inner.new_arg(t.aval) for t in tracers])
            lifted = [inner.lift(o) for o in outs]
        info = signature.debug_info("custom_jvp fun", params["fun"], tracers, {})
        jaxpr = inner.finish(lifted, info)
    finally:
        inner.close()
    consts: list = []
    if any(isinstance(c, Tracer) for c in jaxpr.consts):
        jaxpr, consts = separate_consts(jaxpr)
    ins = [trace.lift(c) for c in consts] + tracers
    kept = {"name": params["fun"].__name__, "call_jaxpr": jaxpr, "jvp": params["jvp"],
            "symbolic_zeros": params["symbolic_zeros"]}
    return trace.emit(custom_jvp_call_p, ins, jaxpr.out_avals, kept, jaxpr.effects)


def _shown(eqn: Eqn, names: Any) -> list:
    return list(eqn.params.items())


class CustomJVPCall(Primitive):
    """Goes to a trace by its own door, with the function and the rule not yet traced."""

    def bind_with(self, trace: Any, args: Any, params: dict) -> list:
        return trace.process_custom_jvp_call(self, args=args, **params)


custom_jvp_call_p = CustomJVPCall(
    "custom_jvp_call", multiple_results=True,
    abstract=lambda *avals, call_jaxpr, **params: call_jaxpr.out_avals,
    impl=lambda *values, call_jaxpr, **params: evaluate.run(call_jaxpr, values))
custom_jvp_call_p.staging_rule = _stage
custom_jvp_call_p.shown_params = _shown


