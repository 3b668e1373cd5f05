"""Cache 3, tracing: from a Python function and types to a jaxpr.

A miss runs your Python once with *tracers* in place of arrays; every primitive
they touch becomes an equation. The cache is unbounded and holds the function
weakly: an entry lives as long as the function object does.

JAX source: ``jax/_src/interpreters/partial_eval.py: trace_to_jaxpr,
trace_to_jaxpr_nocache``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator import explain, key_text, keys, process
from simulator.caches import WeakrefLRUCache
from simulator.functions import signature
from simulator.jaxprs import dynamic_trace
from simulator.jaxprs.jaxpr import DebugInfo, Jaxpr
from simulator.named_tuples import NamedTuple


class Traced(NamedTuple):
    """What the tracing cache holds: the jaxpr and the structure of the result."""

    jaxpr: Jaxpr
    out_tree: Any


def trace_to_jaxpr(fun: Callable, arguments: Any, debug_info: DebugInfo) -> Traced:
    """Look up, or trace, `fun` for the given argument types.

    Args:
      fun: the Python function.
      arguments: a `signature.FlatCall`: structure, types, static values.
      debug_info: part of the key; its `arg_names` name the leaves.

    Errors: RuntimeError under ``jax_no_tracing``; whatever `fun` raises.
    """
    return process.current().trace(fun, *arguments, debug_info)


def _trace_nocache(fun: Callable, *key: Any) -> Traced:
    *call, debug_info = key
    arguments = signature.FlatCall(*call)
    here = process.current()
    if here.config.value("jax_no_tracing"):
        raise RuntimeError(f"re-tracing function {fun} for `jit`, but 'no_tracing' is set")
    here.recorder.work("trace", signature.fun_name(fun))
    return Traced(*dynamic_trace.trace_call(fun, arguments, debug_info))


def _flags(name: str, debug_info: DebugInfo) -> list[tuple[str, str]]:
    # A part of JAX's key that follows from who asks: lowering wants no types of its own.
    if name == "f_jvp_traceable":
        return [("flags", "fun_takes_flat_tree_arg, fun_returns_flat_tree")]
    if _takes_a_list(name, debug_info):
        return [("flags", "fun_returns_flat_tree")]
    low = debug_info.traced_for == "lower_fun" or name == "_eval_jaxpr_discharge_state"
    return [("flags", "requires_low")] if low else []


# The body of a shard_map, and what the transformations make of it.
_BODIES = frozenset({"eval_jaxpr", "f_jvp", "f_lin", "f_pe", "f_tangent", "f_wrapped",
                     "fun_batched", "fun_trans_callable"})


def _takes_a_list(name: str, debug_info: DebugInfo) -> bool:
    # The arguments of these functions are a list, where all others are a tuple.
    return debug_info.traced_for == "shard_map" and name in _BODIES


def _shown(name: str, arguments: Any, debug_info: DebugInfo) -> list[tuple[str, str]]:
    tree = str(arguments.tree_with_static_trees)
    if _takes_a_list(name, debug_info):
        tree = f"PyTreeDef(([{', '.join('*' * len(arguments.leaves))}], {{}}))"
    return [("tree", tree),
            ("avals", key_text.text(list(arguments.leaves))),
            ("static args", key_text.statics(s.value for s in arguments.statics))]


def _report(outcome: str, fun: Any, key: tuple, entry: Any) -> None:
    here = process.current()
    context, *call, debug_info = key
    arguments = signature.FlatCall(*call)
    name = signature.fun_name(fun)

    def fields() -> list:
        return [("function", key_text.label(fun, name)),
                *here.config.trace_context_fields(context),
                *_shown(name, arguments, debug_info),
                ("debug info", f"{debug_info.traced_for} {debug_info.shown_source} "
                               f"{key_text.text(debug_info.arg_names)}"),
                *_flags(name, debug_info)]

    here.recorder.lookup("trace", name, outcome, fields)
    if outcome == "miss":
        explain.tracing_miss(fun, context, arguments, debug_info, here.trace, entry,
                             within=dynamic_trace.SCOPE)


def new_cache(context: Any) -> WeakrefLRUCache:
    """The tracing cache: unbounded, the function held weakly and compared by ``==``."""
    return WeakrefLRUCache(_trace_nocache, context, None, _report, table=keys.TRACE)
