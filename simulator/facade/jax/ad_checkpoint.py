"""``jax.ad_checkpoint``."""

from simulator.autodiff import policies as checkpoint_policies
from simulator.autodiff.checkpoint import checkpoint_name
from simulator.autodiff.saved import print_saved_residuals
from simulator.facade.public import missing as _missing

__getattr__ = _missing("jax.ad_checkpoint")

__all__ = ["checkpoint_name", "checkpoint_policies", "print_saved_residuals"]
