"""Batching `select_n`, `clamp` and `dot_general`.

JAX source: ``jax/_src/lax/lax.py: _select_batch_rule, _clamp_batch_rule,
_dot_general_batch_dim_nums, _dot_batch_rule``.
"""

from __future__ import annotations

from typing import Any

from simulator.batching import axes
from simulator.batching.rules import at, rule, size_of
from simulator.device_arrays.values import abstractify
from simulator.facade.jax.lax import base, products, shapes
from simulator.facade.jax.lax import elementwise as el
from simulator.primitives.core import Primitive


@rule("select_n")
def _select(primitive: Primitive, axis: Any, vals: list, dims: list) -> tuple:
    (which, *cases), (which_dim, *case_dims) = vals, dims
    size = size_of(vals, dims)
    if all(d == which_dim for d in case_dims):
        if base.shape(which) != base.shape(cases[0]):
            # One element chose for a whole array.
            which = _spread(which, cases[0], which_dim)
        return el.select_n(which, *cases), which_dim
    if base.ndim(which) == 0 and all(d is not None for d in case_dims):
        if all(d == case_dims[0] for d in case_dims):
            return el.select_n(which, *cases), case_dims[0]
        if all(base.shape(c) == base.shape(cases[0]) for c in cases):
            dim = case_dims[0]
            moved = [axes.moveaxis(c, d, dim) for c, d in zip(cases[1:], case_dims[1:])]
            return el.select_n(which, cases[0], *moved), dim
    if base.shape(which):
        which = axes.at_front(which, which_dim, size, axis.part)
    if any(base.shape(c) for c in cases):
        cases = [axes.at_front(c, d, size, axis.part) for c, d in zip(cases, case_dims)]
    if 0 < base.ndim(which) < base.ndim(cases[0]):
        which = _spread(which, cases[0], 0)
    if base.ndim(which) > base.ndim(cases[0]):
        cases = [shapes.broadcast(c, base.shape(which), out_sharding=_sharding(which))
                 for c in cases]
    return el.select_n(which, *cases), 0


def _spread(which: Any, like: Any, dim: int) -> Any:
    return shapes.broadcast_in_dim(which, base.shape(like), [dim], out_sharding=_sharding(like))


def _sharding(x: Any) -> Any:
    return base.sharding_of(abstractify(x))


@rule("clamp")
def _clamp(primitive: Primitive, axis: Any, vals: list, dims: list) -> tuple:
    (low, x, high), (low_dim, x_dim, high_dim) = vals, dims
    size = size_of(vals, dims)
    ranks = base.ndim(low), base.ndim(high)
    if low_dim == x_dim == high_dim:
        if base.shape(low) == base.shape(x) == base.shape(high):
            return primitive.bind(low, x, high), x_dim
        if ranks == (1, 1):
            low = shapes.broadcast_in_dim(low, base.shape(x), [low_dim])
            high = shapes.broadcast_in_dim(high, base.shape(x), [high_dim])
            return primitive.bind(low, x, high), x_dim
    elif ranks == (0, 0) and x_dim is not None:
        return primitive.bind(low, x, high), x_dim
    low, high, x = [axes.at_front(v, d, size) if base.shape(v) else v
                    for v, d in ((low, low_dim), (high, high_dim), (x, x_dim))]
    shape = base.shape(x)
    if shape:
        low, high = [v if base.ndim(v) else shapes.broadcast(v, shape) for v in (low, high)]
        low, high = [v if base.ndim(v) == len(shape) else shapes.broadcast_in_dim(v, shape, [0])
                     for v in (low, high)]
    if base.ndim(low) > len(shape):
        x = shapes.broadcast(x, base.shape(low))
    return primitive.bind(low, x, high), 0


@rule("dot_general")
def _dot(primitive: Primitive, axis: Any, vals: list, dims: list, *, dimension_numbers: tuple,
         precision: Any, preferred_element_type: Any, out_sharding: Any) -> tuple:
    numbers, dim = _numbers([base.ndim(v) for v in vals], dims, dimension_numbers)
    out = products.dot_general(*vals, numbers, precision=precision,
                               preferred_element_type=preferred_element_type,
                               out_sharding=out_sharding)
    return out, dim


def _numbers(ranks: list, dims: list, numbers: tuple) -> tuple:
    """(new dimension numbers, mapped axis of the result)."""
    ((lc, rc), (lb, rb)), (ld, rd) = numbers, dims
    if ld is not None and rd is not None:
        return ((at(lc, ld), at(rc, rd)), ((ld, *at(lb, ld)), (rd, *at(rb, rd)))), 0
    if rd is None:
        free = [d for d in range(ranks[0]) if d not in lb and d not in lc]
        dim = len(lb) + sum(d < ld for d in free)
        return ((at(lc, ld), rc), (at(lb, ld), rb)), dim
    free = [d for d in range(ranks[1]) if d not in rb and d not in rc]
    dim = ranks[0] - len(lc) + sum(d < rd for d in free)
    return ((lc, at(rc, rd)), (lb, at(rb, rd))), dim
