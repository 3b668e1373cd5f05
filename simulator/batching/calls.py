"""Batching jitted functions: the jaxpr inside is batched, the call stays a call.

JAX source: ``jax/_src/pjit.py: _pjit_batcher, _pjit_batcher_for_sharding``.
"""

from __future__ import annotations

from typing import Any

from simulator.batching import jaxprs
from simulator.batching.placing import widened
from simulator.batching.rules import always
from simulator.primitives.core import Primitive


@always("jit")
def _jit(primitive: Primitive, axis: Any, vals: list, dims: list, *, jaxpr: Any,
         in_shardings: tuple, out_shardings: tuple, **params: Any) -> tuple:
    batched, out_dims = jaxprs.batch_jaxpr(jaxpr, axis, dims)
    in_shardings, out_shardings = (
        tuple(s if d is None else widened(axis, s, d) for s, d in zip(shardings, where))
        for shardings, where in ((in_shardings, dims), (out_shardings, out_dims)))
    outs = primitive.bind(*vals, jaxpr=batched, in_shardings=in_shardings,
                          out_shardings=out_shardings, **params)
    return outs, out_dims
