"""An equation, lowered or evaluated, is where it was traced: place, mesh, configuration.

JAX source: ``jax/_src/core.py: JaxprEqnContextManager, eval_jaxpr``.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from simulator import process
from simulator.jaxprs.jaxpr import EqnContext
from simulator.running import source


@contextlib.contextmanager
def as_traced(context: EqnContext | None) -> Iterator[None]:
    """Inside, we are where the equation was traced; None changes nothing.

    The mesh is set even when it is the empty one, so what happens inside never shares
    an entry with what the program traces.
    """
    if context is None:
        yield
        return
    config = process.current().config
    before = [(name, config.swap_local(name, value)) for name, value in (
        ("abstract_mesh_context_manager", context.abstract_mesh),
        ("jax_threefry_partitionable", context.threefry_partitionable))]
    try:
        with source.pretending(context.place):
            yield
    finally:
        for name, value in before:
            config.set_local(name, value)
