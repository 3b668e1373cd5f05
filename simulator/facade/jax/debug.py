"""``jax.debug``."""

from simulator.facade.public import missing as _missing
from simulator.side_effects.debug_print import debug_callback as callback
from simulator.side_effects.debug_print import debug_log as log
from simulator.side_effects.debug_print import debug_print as print  # noqa: A004

__getattr__ = _missing("jax.debug")

__all__ = ["callback", "log", "print"]
