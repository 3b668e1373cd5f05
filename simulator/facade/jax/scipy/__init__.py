"""``jax.scipy``, as far as the model covers it."""

from simulator.facade.jax.scipy import linalg, signal, special, stats
from simulator.facade.public import missing as _missing

__getattr__ = _missing("jax.scipy")
