"""``jax.scipy.stats``, as far as the model covers it."""

from simulator.facade.jax.scipy.stats import norm
from simulator.facade.public import missing as _missing

__getattr__ = _missing("jax.scipy.stats")
