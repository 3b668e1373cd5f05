"""``jax.custom_batching``."""

from simulator.batching.custom_vmap import custom_vmap, sequential_vmap
from simulator.facade.public import missing as _missing

__getattr__ = _missing("jax.custom_batching")

__all__ = ["custom_vmap", "sequential_vmap"]
