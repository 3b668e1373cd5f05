"""``jax.experimental``. Of its modules JAX itself imports one; the others are there when a
program has imported them."""

from simulator.facade import lazily as _lazily
from simulator.facade.public import missing as _missing

__getattr__, __dir__ = _lazily.names(__name__, {
    ".": "compilation_cache",
    "simulator.side_effects.callbacks": "io_callback",
}, _missing("jax.experimental"))
