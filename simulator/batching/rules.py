"""Batching rules that many primitives share, and how a rule is registered.

A rule takes ``(axis, vals, dims, **params)``: the mapped axis, the arrays, and the
mapped axis of each (None for one that is not mapped). It applies operations in the
trace around and returns ``(out, dim)``, or two lists for several results.

JAX source: ``jax/_src/interpreters/batching.py: vectorized_batcher,
broadcast_batcher, reducer_batcher, expand_dims_batcher, PrimitiveBatchersProxy``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.batching import axes
from simulator.facade.jax.lax import base, shapes
from simulator.primitives import all as _all  # noqa: F401  (all are in BY_NAME)
from simulator.primitives.core import BY_NAME, Primitive


def always(*names: str) -> Callable:
    """Decorator: the rule of these primitives, asked for unmapped operands too.

    The function gets the primitive first.
    """
    def register(function: Callable) -> Callable:
        for name in names:
            _set(BY_NAME[name], function)
        return function
    return register


def rule(*names: str) -> Callable:
    """Decorator: as `always`, but without a mapped operand the primitive is just applied."""
    def register(function: Callable) -> Callable:
        def asked(primitive: Primitive, axis: Any, vals: list, dims: list, /, **params: Any
                  ) -> tuple:
            if all(d is None for d in dims):
                return unmapped(primitive, vals, params)
            return function(primitive, axis, vals, dims, **params)
        for name in names:
            _set(BY_NAME[name], asked)
        return function
    return register


def _set(primitive: Primitive, function: Callable) -> None:
    primitive.batch = lambda axis, vals, dims, /, **params: function(
        primitive, axis, vals, dims, **params)


def unmapped(primitive: Primitive, vals: list, params: dict) -> tuple:
    """Nothing is mapped: apply the primitive in the trace around."""
    out = primitive.bind(*vals, **params)
    return out, [None] * len(out) if primitive.multiple_results else None


def results(primitive: Primitive, out: Any, dim: int) -> tuple:
    """`out` with the same mapped axis for all results."""
    return out, [dim] * len(out) if primitive.multiple_results else dim


def size_of(vals: list, dims: list) -> int:
    """How many elements are mapped."""
    return next(base.shape(x)[d] for x, d in zip(vals, dims) if d is not None)


def vectorized(primitive: Primitive, axis: Any, vals: list, dims: list, **params: Any) -> tuple:
    """The operation does the same for every element: the mapped axis stays where it is."""
    if any(d != dims[0] for d in dims):
        raise AssertionError(tuple(dims))
    return primitive.bind(*vals, **params), dims[0]


def broadcasting(primitive: Primitive, axis: Any, vals: list, dims: list, **params: Any) -> tuple:
    """Equal ranks, or scalars: mapped axes go to the front, the others get a 1 there."""
    shape, dim = next((base.shape(x), d) for x, d in zip(vals, dims) if d is not None)
    if all(base.shape(x) == shape and d == dim for x, d in zip(vals, dims) if base.ndim(x)):
        return results(primitive, primitive.bind(*vals, **params), dim)
    vals = [axes.at_front(x, d, 1) if base.ndim(x) else x for x, d in zip(vals, dims)]
    rank = max(map(base.ndim, vals))
    vals = [x if d is None or base.ndim(x) == rank
            else shapes.expand_dims(x, tuple(range(base.ndim(x), rank)))
            for x, d in zip(vals, dims)]
    return results(primitive, primitive.bind(*vals, **params), 0)


def reducing(primitive: Primitive, axis: Any, vals: list, dims: list, **params: Any) -> tuple:
    """A reduction over `axes`, none of which is the mapped one."""
    (operand,), (dim,) = vals, dims
    over = at(params.pop("axes"), dim)
    kept = [i for i in range(operand.ndim) if i not in over]
    return primitive.bind(operand, axes=axes.numpy_ints(over), **params), kept.index(dim)


def leading(primitive: Primitive, axis: Any, vals: list, dims: list, **params: Any) -> tuple:
    """The operation takes any number of leading axes, the same in all operands."""
    size = size_of(vals, dims)
    vals = [axes.at_front(x, d, size) for x, d in zip(vals, dims)]
    return results(primitive, primitive.bind(*vals, **params), 0)


def at(positions: Any, dim: int) -> tuple[int, ...]:
    """Positions of axes in one element, as positions in the whole array."""
    return tuple(p + (p >= dim) for p in positions)


def behind(positions: Any) -> tuple[int, ...]:
    """The same with the mapped axis in front."""
    return axes.numpy_ints(p + 1 for p in positions)
