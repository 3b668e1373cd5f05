"""Which jitted function is behind what the interpreter calls, and what it is called.

A jitted function is an object of jaxlib's type `PjitFunction`.
"""

from __future__ import annotations

import functools
import types

from simulator.live.stream import plain


def function_type() -> type:
    """The type `PjitFunction`, which has no public name."""
    import jax
    return type(jax.jit(lambda: None))


def identity(thing) -> int | None:
    """The id of the function that one wraps; None where there is none."""
    return None if thing is None else id(thing)


def behind(called, wanted: type):
    """(PjitFunction behind a callable or None, whether its end may go unreported).

    wanted: the type `PjitFunction`.
    """
    partial = isinstance(called, functools.partial)
    while isinstance(called, functools.partial):
        called = called.func
    if type(called) is wanted:
        return called, partial
    if type(called) is types.MethodType and type(called.__func__) is wanted:
        return called.__func__, True
    # An instance whose class has a jitted __call__: the interpreter calls the instance.
    through_class = getattr(type(called), "__call__", None)  # noqa: B004  (which one is the point)
    if type(through_class) is wanted:
        return through_class, False
    return None, False


def nameless(frame) -> str:
    """Name of a PjitFunction that wraps no function, from the frame that calls it."""
    values = frame.f_locals
    if "jaxpr" in values and "name" in values:              # pjit.py: _pjit_call_impl
        return str(values["name"])
    executable = getattr(values.get("self"), "_executable", None)
    return plain(str(getattr(getattr(executable, "unsafe_call", None), "name", "?")))
