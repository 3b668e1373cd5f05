"""Batching jitted functions: the jaxpr inside is batched, the call stays a call.

JAX source: ``jax/_src/pjit.py: _pjit_batcher, _pjit_batcher_for_sharding``.
"""

from __future__ import annotations

from typing import Any

from simulator.batching import jaxprs
from simulator.batching.rules import always
from simulator.errors import OutOfScope
from simulator.placement.shardings import UNSPECIFIED
from simulator.primitives.core import Primitive


@always("jit")
def _jit(primitive: Primitive, axis: Any, vals: list, dims: list, *, jaxpr: Any,
         in_shardings: tuple, out_shardings: tuple, **params: Any) -> tuple:
    if any(s is not UNSPECIFIED for s in (*in_shardings, *out_shardings)):
        raise OutOfScope("jax.vmap of a jitted function with in_shardings or out_shardings",
                         "map inside the jitted function: jax.jit(jax.vmap(f), …)")
    batched, out_dims = jaxprs.batch_jaxpr(jaxpr, axis, dims)
    outs = primitive.bind(*vals, jaxpr=batched, in_shardings=in_shardings,
                          out_shardings=out_shardings, **params)
    return outs, out_dims
