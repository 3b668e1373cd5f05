"""Batching placement: ``device_put``, sharding constraints, ``reshard``.

JAX source: ``jax/_src/dispatch.py: _device_put_batcher``; ``jax/_src/pjit.py:
_sharding_constraint_batcher, _pjit_batcher_for_sharding, _reshard_batcher``.
"""

from __future__ import annotations

from typing import Any

from simulator.batching.elementwise import with_axis
from simulator.batching.rules import rule
from simulator.errors import OutOfScope
from simulator.facade.jax.lax import reshard  # noqa: F401  (has the primitive)
from simulator.primitives.core import Primitive


@rule("device_put")
def _device_put(primitive: Primitive, axis: Any, vals: list, dims: list, **params: Any) -> tuple:
    return primitive.bind(*vals, **params), dims


@rule("reshard")
def _reshard(primitive: Primitive, axis: Any, vals: list, dims: list, *, dst_sharding: Any,
             **params: Any) -> tuple:
    return primitive.bind(vals[0], dst_sharding=with_axis(dst_sharding, dims[0]), **params), dims[0]


@rule("sharding_constraint")
def _constraint(primitive: Primitive, axis: Any, vals: list, dims: list, **params: Any) -> tuple:
    raise OutOfScope("jax.lax.with_sharding_constraint under jax.vmap",
                     "put the constraint around the mapped function")
