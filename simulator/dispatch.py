"""Where a primitive goes: into the current trace, or, eagerly, through its own jit.

An eager operation is not a shortcut: JAX wraps the primitive in a small jitted
function, kept in a cache of its own (the side door `prim`), and calls that. From
there on all six caches take part.

JAX source: ``jax/_src/core.py: Primitive.bind``, ``jax/_src/dispatch.py:
apply_primitive, xla_primitive_callable``.
"""

from __future__ import annotations

from typing import Any

from simulator import key_text, keys, process, traces
from simulator.caches import StrongLRUCache
from simulator.device_arrays.values import abstractify
from simulator.errors import OutOfScope
from simulator.jaxprs import applying
from simulator.references.ref_types import TAKES_REFS, is_ref
from simulator.running import outermost


def bind(primitive: Any, args: tuple, params: dict) -> Any:
    """Apply a primitive to arguments: hand it to the current trace.

    Errors: TypeError for an argument that is no JAX value;
    UnexpectedTracerError for a tracer whose trace is over.
    """
    for position, arg in enumerate(args):
        try:
            abstractify(arg)
        except TypeError as error:
            raise TypeError(
                f"Error interpreting argument to {primitive.name} as a JAX value. The problematic "
                f"value is of type {type(arg)} and was passed to {primitive.name} at position "
                f"{position}.") from error
    if primitive.name not in TAKES_REFS and any([is_ref(getattr(a, "aval", None)) for a in args]):
        raise OutOfScope(f"{primitive.name} of a Ref", "read it first: ref[...]")
    if process.current().config.value("check_vma"):
        from simulator.manual.varying import aligned
        args = tuple(aligned(primitive, args))
    return primitive.bind_with(traces.current(), args, params)


def evaluate(primitive: Any, args: Any, params: dict) -> Any:
    """Run a primitive on concrete arguments, by its own rule or through its jit."""
    if primitive.eager is not None:
        return primitive.eager(*args, **params)
    return apply_primitive(primitive, args, params)


@outermost.candidate
def apply_primitive(primitive: Any, args: tuple, params: dict) -> Any:
    """Run one primitive eagerly, through its cached jitted wrapper."""
    here = process.current()
    here.thread.depth += 1
    try:
        fun = here.prim(primitive, tuple(params.items()))
        # Eager operations run compiled even when jax_disable_jit is on.
        before = here.config.swap_local("jax_disable_jit", False)
        try:
            return fun(*args)
        finally:
            here.config.set_local("jax_disable_jit", before)
    finally:
        here.thread.depth -= 1


def _primitive_callable(primitive: Any, params: tuple) -> Any:
    from simulator.api import jit
    keywords = dict(params)

    def prim_fun(*args: Any) -> Any:
        with applying.states(eager_constant_folding=False):
            return primitive.bind(*args, **keywords)

    prim_fun.__name__ = prim_fun.__qualname__ = primitive.name
    prim_fun._apply_primitive = True  # type: ignore[attr-defined]
    return jit(prim_fun)


def _report(outcome: str, key: tuple, entry: Any) -> None:
    here = process.current()
    context, primitive, params = key
    here.recorder.lookup(
        "prim", primitive.name, outcome,
        lambda: [("primitive", primitive.name),
                 ("params", key_text.text(dict(params))),
                 *here.config.trace_context_fields(context)])


def new_cache(context: Any) -> StrongLRUCache:
    """The side door: one jitted function per (trace context, primitive, parameters)."""
    return StrongLRUCache(_primitive_callable, context, maxsize=4096, on_lookup=_report,
                          table=keys.PRIM)
