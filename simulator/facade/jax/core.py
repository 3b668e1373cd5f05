"""``jax.core``."""

from collections.abc import Sequence
from typing import Any

from simulator.facade.public import missing as _missing
from simulator.jaxprs import applying
from simulator.jaxprs.jaxpr import Jaxpr
from simulator.jaxprs.tracer import Tracer
from simulator.types.avals import ShapedArray

__getattr__ = _missing("jax.core")


def eval_jaxpr(jaxpr: Jaxpr, consts: Sequence[Any], *args: Any,
               propagate_source_info: bool = True) -> list:
    """``jax.core.eval_jaxpr``: the primitives of a jaxpr, one after the other."""
    return applying.eval_jaxpr(jaxpr.replace(consts=list(consts)), args)


__all__ = ["Jaxpr", "ShapedArray", "Tracer", "eval_jaxpr"]
