"""``jax.experimental.compilation_cache``."""

from simulator.facade.jax.experimental.compilation_cache import compilation_cache

__all__ = ["compilation_cache"]
