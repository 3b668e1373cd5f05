"""``jax.lax.associative_scan``: a prefix scan in logarithmic depth, written out.

JAX source: ``jax/_src/lax/control_flow/loops.py: associative_scan``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.facade.jax.lax import base, reducing, shapes, slicing
from simulator.facade.jax.lax import elementwise as el
from simulator.trees import pytrees


def associative_scan(fn: Callable, elems: Any, reverse: bool = False, axis: int = 0) -> Any:
    """``jax.lax.associative_scan``.

    Errors: TypeError when `fn` is not callable; ValueError for axes of different sizes.
    """
    if not callable(fn):
        raise TypeError("lax.associative_scan: fn argument should be callable.")
    arrays, tree = pytrees.tree_flatten(elems)
    if reverse:
        arrays = [shapes.rev(x, [axis]) for x in arrays]

    def combine(a: list, b: list) -> list:
        return pytrees.tree_leaves(fn(tree.unflatten(a), tree.unflatten(b)))

    axis = base.canonical_axis(axis, arrays[0].ndim)
    size = int(arrays[0].shape[axis])
    if any(int(x.shape[axis]) != size for x in arrays[1:]):
        raise ValueError("Array inputs to associative_scan must have the same first dimension. "
                         f"(saw: {[x.shape for x in arrays]})")
    scanned = _scan(combine, arrays, axis)
    if reverse:
        scanned = [shapes.rev(x, [axis]) for x in scanned]
    return tree.unflatten(scanned)


def _scan(combine: Callable, arrays: list, axis: int) -> list:
    def cut(xs: list, first: int, last: int | None, stride: int = 1) -> list:
        return [slicing.slice_in_dim(x, first, last, stride=stride, axis=axis) for x in xs]

    size = arrays[0].shape[axis]
    if size < 2:
        return arrays
    # Neighbours first; the scan of their sums is every second entry of the scan.
    odd = _scan(combine, combine(cut(arrays, 0, -1, 2), cut(arrays, 1, None, 2)), axis)
    before = odd if size % 2 else cut(odd, 0, -1)
    even = combine(before, cut(arrays, 2, None, 2))
    even = [reducing.concatenate([slicing.slice_in_dim(x, 0, 1, axis=axis), y], dimension=axis)
            for x, y in zip(arrays, even)]
    return [_interleaved(a, b, axis) for a, b in zip(even, odd)]


def _interleaved(a: Any, b: Any, axis: int) -> Any:
    same = a.shape[axis] == b.shape[axis]
    a_pad, b_pad = [(0, 0, 0)] * a.ndim, [(0, 0, 0)] * b.ndim
    a_pad[axis], b_pad[axis] = (0, int(same), 1), (1, int(not same), 1)
    add = el.bitwise_or if a.dtype.family == "b" else el.add
    return add(reducing.pad(a, base.const(a, 0), a_pad), reducing.pad(b, base.const(b, 0), b_pad))
