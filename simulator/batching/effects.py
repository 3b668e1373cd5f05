"""Batching callbacks: printed once per element, or called once for all.

JAX source: ``jax/_src/debugging.py: debug_batching_rule``; ``jax/_src/ffi.py:
ffi_batching_rule``; ``jax/_src/callback.py: io_callback_batching_rule``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.batching import axes
from simulator.batching.rules import rule, size_of
from simulator.facade.jax.lax import loops, scanning, shapes, slicing
from simulator.primitives.core import Primitive
from simulator.side_effects import debug_print  # noqa: F401  (has the primitive)


@rule("debug_callback", "debug_print")
def _debug(primitive: Primitive, axis: Any, vals: list, dims: list, **params: Any) -> tuple:
    for i in range(size_of(vals, dims)):
        primitive.bind(*[x if d is None else slicing.index_in_dim(x, i, axis=d, keepdims=False)
                         for x, d in zip(vals, dims)], **params)
    return [], []


@rule("pure_callback")
def _pure(primitive: Primitive, axis: Any, vals: list, dims: list, *, result_avals: tuple,
          vmap_method: str | None, **params: Any) -> tuple:
    size = size_of(vals, dims)
    vals = [x if d is None else axes.moveaxis(x, d, 0) for x, d in zip(vals, dims)]
    if vmap_method in ("sequential", "sequential_unrolled"):
        one = _one_by_one(primitive, vals, dims, {
            "result_avals": result_avals, "vmap_method": vmap_method, **params})
        _, outs = scanning.scan(lambda _, x: ((), one(x)), (), _mapped(vals, dims),
                                unroll=vmap_method == "sequential_unrolled")
        return outs, [0] * len(outs)
    if vmap_method is None:
        raise NotImplementedError(
            f"vmap is only supported for the {primitive.name} primitive when vmap_method is one of "
            "'sequential', 'sequential_unrolled', 'expand_dims', 'broadcast_all', or "
            f"'legacy_vectorized'. Got {vmap_method=}.")
    if vmap_method != "legacy_vectorized":
        new = size if vmap_method == "broadcast_all" else 1
        vals = [shapes.broadcast(x, (new,)) if d is None else x for x, d in zip(vals, dims)]
    outs = primitive.bind(*vals, vmap_method=vmap_method, result_avals=tuple(
        axes.unmapped(a, 0, size) for a in result_avals), **params)
    return outs, [0] * len(outs)


@rule("io_callback")
def _io(primitive: Primitive, axis: Any, vals: list, dims: list, *, ordered: bool,
        result_avals: tuple, **params: Any) -> tuple:
    if ordered:
        raise ValueError("Cannot `vmap` ordered IO callback.")
    vals = [x if d is None else axes.moveaxis(x, d, 0) for x, d in zip(vals, dims)]
    one = _one_by_one(primitive, vals, dims, {
        **params, "result_avals": result_avals, "ordered": False})
    outs = loops.map(one, _mapped(vals, dims))
    return outs, [0] * len(outs)


def _mapped(vals: list, dims: list) -> list:
    return [x for x, d in zip(vals, dims) if d is not None]


def _one_by_one(primitive: Primitive, vals: list, dims: list, params: dict) -> Callable:
    """The callback for one element: of the mapped operands, as a list."""
    def one(mapped: list) -> list:
        rest = iter(mapped)
        return primitive.bind(*[x if d is None else next(rest) for x, d in zip(vals, dims)],
                              **params)
    return one
