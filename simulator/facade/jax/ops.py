"""``jax.ops``: sums, products, minima and maxima by segment.

JAX source: ``jax/_src/ops/scatter.py: segment_sum, _segment_update``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import base
from simulator.facade.jax.numpy import reductions
from simulator.facade.jax.numpy.updating import scatter_update
from simulator.facade.jax.numpy.util import check_arraylike
from simulator.facade.public import missing as _missing
from simulator.types.rounding import int_range

__getattr__ = _missing("jax.ops")


def _lowest(d: Any) -> Any:
    return False if d.family == "b" else int_range(d)[0] if d.family in "iu" else -math.inf


def _highest(d: Any) -> Any:
    return True if d.family == "b" else int_range(d)[1] if d.family in "iu" else math.inf


def _segments(name: str, scatter: Callable, reducer: Callable, start: Callable) -> Any:
    def fun(data: Any, segment_ids: Any, num_segments: Any = None,
            indices_are_sorted: bool = False, unique_indices: bool = False,
            bucket_size: int | None = None, mode: Any = None, out_sharding: Any = None) -> Any:
        base.no_out_sharding(out_sharding, f"jax.ops.{name}")
        check_arraylike(name, data, segment_ids)
        mode = lax.GatherScatterMode.FILL_OR_DROP if mode is None else mode
        data, ids = jnp.asarray(data), jnp.asarray(segment_ids)
        if num_segments is None:
            num_segments = jnp.max(ids) + 1
        n = base.concrete(int, num_segments, "segment_sum() `num_segments` argument.")
        if n < 0:
            raise ValueError("num_segments must be non-negative.")
        fill = start(data.dtype)
        if bucket_size is None:
            out = jnp.full((n, *data.shape[1:]), fill, dtype=data.dtype)
            return scatter_update(out, ids, data, scatter, indices_are_sorted, unique_indices,
                                  mode, wrap=False)
        # Bucket by bucket, then all buckets together: a more exact sum.
        buckets = -(-ids.size // bucket_size)
        out = jnp.full((buckets, n, *data.shape[1:]), fill, dtype=data.dtype)
        place = (jnp.arange(ids.shape[0]) // bucket_size, ids[None, :])
        out = scatter_update(out, place, data, scatter, indices_are_sorted, unique_indices, mode,
                             wrap=False)
        return reducer(out, axis=0).astype(data.dtype)

    fun.__name__ = fun.__qualname__ = name
    fun.__doc__ = f"``jax.ops.{name}``."
    return fun


segment_sum = _segments("segment_sum", lax.scatter_add, reductions.sum, lambda d: 0)
segment_prod = _segments("segment_prod", lax.scatter_mul, reductions.prod, lambda d: 1)
segment_max = _segments("segment_max", lax.scatter_max, reductions.max, _lowest)
segment_min = _segments("segment_min", lax.scatter_min, reductions.min, _highest)
