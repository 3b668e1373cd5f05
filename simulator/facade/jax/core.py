"""``jax.core``."""

from simulator.facade.public import missing as _missing
from simulator.jaxprs.jaxpr import Jaxpr
from simulator.jaxprs.tracer import Tracer
from simulator.types.avals import ShapedArray

__getattr__ = _missing("jax.core")

__all__ = ["Jaxpr", "ShapedArray", "Tracer"]
