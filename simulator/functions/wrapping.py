"""A wrapper that looks like the function inside.

JAX source: ``jax/_src/util.py: wraps``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.functions.function_info import fun_name


def wraps(fun: Callable, doc: str | None = None, argnums: Any = None) -> Callable:
    """Decorator: give a wrapper the name, the place and the attributes of `fun`.

    A partial gives the name of its function; what has no name is called
    ``<unnamed function>`` from here on.

    Args:
      doc: documentation with places for ``{fun}`` and ``{argnums}``; None for that of `fun`.
    """
    def decorate(made: Any) -> Any:
        name = fun_name(fun)
        made.__dict__.update(getattr(fun, "__dict__", {}))
        made.__annotations__ = getattr(fun, "__annotations__", {})
        made.__name__ = name
        made.__module__ = getattr(fun, "__module__", "<unknown module>")
        made.__doc__ = ((getattr(fun, "__doc__", "") or "") if doc is None
                        else doc.format(fun=name, argnums=argnums))
        made.__qualname__ = getattr(fun, "__qualname__", name)
        made.__wrapped__ = fun
        return made
    return decorate
