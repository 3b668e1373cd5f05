"""Every batching rule: importing this module sets them."""

from simulator.batching import (  # noqa: F401
    calls,
    choosing,
    collectives,
    effects,
    elementwise,
    indexing,
    loops,
    placing,
    shapes,
    state,
)
