"""Caches of the library that belong to no station.

Each rewriting of a jaxpr is remembered by the jaxpr it started from: the same jaxpr
gives the same result *object* again, and that is why a gradient taken twice finds its
program compiled.

JAX source: ``jax/_src/util.py: weakref_lru_cache``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from simulator import process
from simulator.caches import WeakrefLRUCache


def by_jaxpr(function: Callable) -> Callable:
    """Decorator: remember results by the first argument, a jaxpr, held weakly.

    The other arguments are compared by ``==``; the trace context is part of the key.
    """
    name = f"{function.__module__}.{function.__qualname__}"

    @functools.wraps(function)
    def cached(jaxpr: Any, *rest: Any) -> Any:
        here = process.current()
        cache = here.side_caches.get(name)
        if cache is None:
            cache = here.side_caches[name] = WeakrefLRUCache(function, here.config.trace_context)
        return cache(jaxpr, *rest)
    return cached
