"""``jax.stages``."""

from simulator.facade.public import missing as _missing
from simulator.stages import Compiled, Lowered, Traced

__getattr__ = _missing("jax.stages")

__all__ = ["Compiled", "Lowered", "Traced"]
