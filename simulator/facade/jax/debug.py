"""``jax.debug``."""

from simulator.debug_print import debug_callback as callback
from simulator.debug_print import debug_log as log
from simulator.debug_print import debug_print as print  # noqa: A004
from simulator.facade.public import missing as _missing

__getattr__ = _missing("jax.debug")

__all__ = ["callback", "log", "print"]
