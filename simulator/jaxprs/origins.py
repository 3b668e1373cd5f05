"""Where a tracer came from, as error messages tell it.

JAX source: ``jax/_src/interpreters/partial_eval.py: DynamicJaxprTracer._origin_msg,
JaxprStackFrame.find_progenitors``; ``jax/_src/core.py: escaped_tracer_error``.
"""

from __future__ import annotations

from typing import Any

from simulator import errors
from simulator.jaxprs.jaxpr import Literal, Var
from simulator.jaxprs.jaxpr_text import eqn_text
from simulator.running import source

_SHOWN = 5
"""So many operations at most, and so many frames."""


def written_down(tracer: Any) -> str:
    """What a value of a jaxpr depends on: arguments of the traced function, or else the
    operations that made it of constants."""
    trace = tracer._trace
    info = trace.debug_info
    if info is None:
        return ""
    text = f"\nThe error occurred while tracing the function {info.func_src_info} for " \
           f"{info.traced_for}. "
    if isinstance(tracer.atom, Literal):
        return text
    arguments, made = _ancestors(trace, tracer.atom)
    if arguments:
        names = info.arg_names or ("unknown",) * (arguments[-1] + 1)
        if arguments[-1] >= len(names):
            return ""
        shown = [names[i] for i in arguments]
        which = f"the argument {shown[0]}" if len(shown) == 1 else \
            f"the arguments {shown[0]} and {shown[1]}" if len(shown) == 2 else \
            f"the arguments {', '.join(shown[:-1])}, and {shown[-1]}"
        text += ("This concrete value was not available in Python because it depends on the "
                 f"value{'s' if len(shown) > 1 else ''} of {which}.")
    elif made:
        operations = [f"  operation {eqn_text(eqn)}\n    from line {source.frames(eqn.context.place)}"
                      for eqn in made[:_SHOWN]]
        text += "This value became a tracer due to JAX operations on these lines:\n\n" + \
            "\n\n".join(operations)
        if len(made) > _SHOWN:
            text += "\n\n(Additional originating lines are not shown.)"
    return text


def _ancestors(trace: Any, atom: Var) -> tuple[list[int], list]:
    """The positions of the arguments behind a variable, and the equations with constants."""
    active = {atom}
    for eqn in reversed(trace.eqns):
        produced = active.intersection(eqn.outvars)
        if produced:
            active -= produced
            active.update(v for v in eqn.invars if isinstance(v, Var))
    consts = active.intersection(trace.constvars())
    made = [eqn for eqn in trace.eqns if any(
        isinstance(v, Literal) or v in consts for v in eqn.invars)]
    return [i for i, v in enumerate(trace.invars) if v in active], made


def escaped(tracer: Any) -> errors.UnexpectedTracerError:
    """The error for a tracer that is used after its trace is over."""
    text = ("Encountered an unexpected tracer. A function transformed by JAX had a side effect, "
            "allowing for a reference to an intermediate value with type "
            f"{tracer.aval.str_short()} wrapped in a {type(tracer).__name__} to escape the scope "
            "of the transformation.\nJAX transformations require that functions explicitly "
            "return their outputs, and disallow saving intermediate values to global state.")
    info = getattr(tracer._trace, "debug_info", None)
    if info is not None:
        text += ("\nThe function being traced when the value leaked was "
                 f"{info.func_src_info} traced for {info.traced_for}.")
    places = getattr(tracer, "places", None)
    if places is not None:
        line = "\n" + "-" * 30 + "\n"
        text += (f"{line}The leaked intermediate value was created on line "
                 f"{source.frames(*places[:1])}. {line}When the value was created, the final "
                 f"{_SHOWN} stack frames (most recent last) excluding JAX-internal frames were:"
                 f"{line}{source.frames(*places[:_SHOWN])}{line}")
    return errors.UnexpectedTracerError(
        text + "\nTo catch the leak earlier, try setting the environment variable "
        "JAX_CHECK_TRACER_LEAKS or using the `jax.checking_leaks` context manager.")
