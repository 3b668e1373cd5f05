"""``jax.core``."""

from simulator.avals import ShapedArray
from simulator.facade.public import missing as _missing
from simulator.jaxpr import Jaxpr
from simulator.tracer import Tracer

__getattr__ = _missing("jax.core")

__all__ = ["Jaxpr", "ShapedArray", "Tracer"]
