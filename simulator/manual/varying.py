"""Types that say how values vary, made to agree: `pvary` where an operation needs it.

Inside `jax.shard_map` an operation on several values wants them to vary over the same
mesh axes. JAX casts the others just before the operation.

JAX source: ``jax/_src/core.py: pvary, auto_insert_reshard``;
``jax/_src/lax/parallel.py: insert_collective_pvary``.

Simplified: JAX asks in each function of `jax.lax` that takes several arrays, here it is
asked once, where a primitive is bound. Primitives bound without it have equal types.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from simulator.device_arrays.values import abstractify
from simulator.placement import mesh as meshes
from simulator.primitives.ambient import state
from simulator.primitives.collectives import pvary_p

# What has types of its own for its operands.
_AS_THEY_ARE = frozenset({
    "checkpoint", "closed_call", "cond", "custom_jvp_call", "custom_lin", "custom_vjp_call",
    "eval_jaxpr", "jit", "pvary", "random_bits", "random_gamma", "remat2", "scan", "shard_map",
    "sort", "threefry2x32", "tie", "while"})


def pvary(x: Any, axes: Iterable) -> Any:
    """`x`, its type varying over more axes: nothing where types do not say."""
    axes = tuple(axes)
    here = meshes.get_abstract_mesh()
    if not axes or (not state("check_vma", False) and all(a in here.manual_axes for a in axes)):
        return x
    ordered = axes if here.empty else tuple(a for a in here.axis_names if a in axes)
    if set(ordered) != set(axes):
        raise AssertionError  # as JAX, without a word
    return pvary_p.bind(x, axes=ordered)


def vary(x: Any, axes: Iterable) -> Any:
    """`x` as a collective over these axes wants it."""
    if not state("check_vma", False):
        return x
    varying = abstractify(x).varying
    return pvary(x, [a for a in axes if a not in varying])


def aligned(primitive: Any, args: Sequence[Any]) -> Sequence[Any]:
    """The operands of a primitive, all varying over the same axes."""
    if len(args) < 2 or primitive.name in _AS_THEY_ARE:
        return args
    return together(args)


def together(args: Sequence[Any]) -> Sequence[Any]:
    """Values, all varying over the same axes: nothing to do where types do not say."""
    if not state("check_vma", False):
        return args
    found = [getattr(abstractify(a), "varying", frozenset()) for a in args]
    union = frozenset().union(*found)
    return [a if v == union else pvary(a, union - v) for a, v in zip(args, found)]
