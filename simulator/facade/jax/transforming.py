"""Transformations: what has to know every primitive, and its rules."""

from simulator.facade import lazily

lazily.everything()

from simulator.batching import all as _batching  # noqa: E402, F401
from simulator.batching.vmapping import vmap  # noqa: E402, F401
