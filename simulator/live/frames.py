"""What the frames and functions of JAX tell: code to watch, names, why nothing was kept."""

from __future__ import annotations

import gc
import inspect
import types

from simulator.live.stream import plain


def nested(function, name: str):
    """The code object of a function defined inside another one."""
    code = inspect.unwrap(function).__code__
    return next(c for c in code.co_consts if getattr(c, "co_name", None) == name)


def body(cache, name: str):
    """The code object of the function under a cache."""
    candidates = [getattr(cache, "__wrapped__", None), *gc.get_referents(cache)]
    return next(f.__code__ for f in candidates
                if isinstance(f, types.FunctionType) and f.__name__ == name)


def aot_name(frame) -> str:
    """The name of the program that a call ahead of time runs, from a frame of its method."""
    return executable_name(frame.f_locals.get("self"))


def executable_name(executable) -> str:
    """The name of a compiled program."""
    return plain(str(getattr(getattr(executable, "unsafe_call", None), "name", "?")))


def why_dead(frame) -> str:
    """Why JAX gave C++ nothing to keep (jax/_src/pjit.py: _get_fastpath_data)."""
    from jax._src import config
    from jax._src.state.types import RefEffect
    values = frame.f_locals
    executable = values.get("executable", values.get("compiled"))
    if executable is None:
        if config.debug_key_reuse.value:
            return "jax_debug_key_reuse is on"
        return "the call was staged into an enclosing trace"
    call = getattr(executable, "unsafe_call", None)
    effects = values["jaxpr"].effects
    if getattr(call, "ordered_effects", None) or getattr(call, "has_unordered_effects", False):
        return "the program has effects"
    if any(isinstance(effect, RefEffect) for effect in effects):
        return "the program reads or writes a ref from outside"
    if config.no_execution.value:
        return "jax_no_execution is on"
    return "an output is no plain array"
