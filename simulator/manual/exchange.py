"""What collectives do to the numbers of all devices.

JAX source: ``jax/_src/lax/parallel.py``, the lowering rules; what they say is meant there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from simulator.errors import OutOfScope
from simulator.ndarrays.ndarray import NDArray
from simulator.primitives.binary import add_p, max_p, min_p
from simulator.primitives.collectives import as_names
from simulator.primitives.joining import concatenate_p
from simulator.primitives.reductions import reduce_max_p, reduce_min_p, reduce_sum_p
from simulator.primitives.shapes import reshape_p
from simulator.primitives.slicing import slice_p
from simulator.types import dtypes

Values = list[NDArray]


class Grid:
    """Devices along named axes, numbered row by row.

    Args:
      axes: (name, size) per axis.
    """

    def __init__(self, axes: Sequence[tuple]):
        self.axes = tuple(axes)
        self.sizes = dict(axes)
        self.size = math.prod(self.sizes.values())

    def coordinates(self, device: int) -> dict:
        """Where a device is, per axis."""
        out = {}
        for name, size in reversed(self.axes):
            device, out[name] = divmod(device, size)
        return out

    def groups(self, names: tuple, given: Any = None) -> list[list[int]]:
        """Devices that talk to each other along some axes, each in the order of its index.

        Args:
          given: indices that form groups of their own, or None.
        """
        found: dict[tuple, dict[int, int]] = {}
        for device in range(self.size):
            at = self.coordinates(device)
            index = self.index(device, names)
            others = tuple(v for n, v in at.items() if n not in names)
            found.setdefault(others, {})[index] = device
        whole = [[members[i] for i in sorted(members)] for members in found.values()]
        if given is None:
            return whole
        return [[members[i] for i in group] for members in whole for group in given]

    def index(self, device: int, names: tuple) -> int:
        """The number of a device along some axes."""
        at, index = self.coordinates(device), 0
        for name in names:
            index = index * self.sizes[name] + at[name]
        return index


RULES: dict[str, Callable[..., Values]] = {}
"""Primitive name -> ``(grid, values, **params) -> values``."""


def _rule(*names: str) -> Callable:
    def register(function: Callable) -> Callable:
        RULES.update(dict.fromkeys(names, function))
        return function
    return register


def _in_groups(grid: Grid, x: Values, names: tuple, given: Any, exchange: Callable) -> Values:
    out: list[Any] = [None] * grid.size
    for members in grid.groups(names, given):
        for device, value in zip(members, exchange([x[d] for d in members])):
            out[device] = value
    return out


def _total(combine: Any, parts: Values) -> NDArray:
    total = parts[0]
    for part in parts[1:]:
        total = combine.impl(total, part)
    return total


def _all_reduce(combine: Any, reduction: Any) -> Callable:
    def rule(grid: Grid, x: Values, *, axes: tuple, axis_index_groups: Any = None) -> Values:
        positions = tuple(a for a in axes if isinstance(a, int))
        names = tuple(a for a in axes if not isinstance(a, int))
        if positions:
            x = [reduction.impl(v, axes=positions, out_sharding=None) for v in x]
        return _in_groups(grid, x, names, axis_index_groups,
                          lambda parts: [_total(combine, parts)] * len(parts))
    return rule


RULES["psum"] = RULES["psum_invariant"] = _all_reduce(add_p, reduce_sum_p)
RULES["pmax"], RULES["pmin"] = _all_reduce(max_p, reduce_max_p), _all_reduce(min_p, reduce_min_p)


@_rule("axis_index")
def _axis_index(grid: Grid, *, axis_name: Any) -> Values:
    return [NDArray((), dtypes.int32, [grid.index(d, as_names(axis_name))])
            for d in range(grid.size)]


@_rule("ppermute")
def _ppermute(grid: Grid, x: Values, *, axis_name: Any, perm: tuple) -> Values:
    def moved(parts: Values) -> Values:
        zero = [type(v)(0) if not isinstance(v, bool) else False
                for v in parts[0].cell.force()]
        out = [NDArray(p.shape, p.dtype, zero) for p in parts]
        for named in zip(*perm):
            if len(set(named)) < len(named) or not set(named) <= set(range(len(parts))):
                # JAX raises while it lowers, which the model does not follow.
                raise OutOfScope("lax.ppermute with a device that is not there, or twice",
                                 f"name each of the {len(parts)} devices once")
        for source, target in perm:
            out[target] = parts[source]
        return out
    return _in_groups(grid, x, as_names(axis_name), None, moved)


@_rule("pbroadcast")
def _pbroadcast(grid: Grid, x: Values, *, axis_name: Any, source: int) -> Values:
    return _in_groups(grid, x, as_names(axis_name), None,
                      lambda parts: [parts[source]] * len(parts))


def _joined(parts: Values, axis: int) -> NDArray:
    return concatenate_p.impl(*parts, dimension=axis)


def _reshaped(x: NDArray, shape: Sequence[int]) -> NDArray:
    return reshape_p.impl(x, new_sizes=tuple(shape), dimensions=None, sharding=None)


def _pieces(x: NDArray, axis: int, count: int) -> Values:
    size = x.shape[axis] // count
    out = []
    for i in range(count):
        start, limit = [0] * len(x.shape), list(x.shape)
        start[axis], limit[axis] = i * size, (i + 1) * size
        out.append(slice_p.impl(x, start_indices=tuple(start), limit_indices=tuple(limit),
                                strides=None))
    return out


@_rule("all_gather", "all_gather_invariant")
def _all_gather(grid: Grid, x: Values, *, all_gather_dimension: int, axis_name: Any,
                tiled: bool, axis_index_groups: Any = None, **params: Any) -> Values:
    at = all_gather_dimension

    def gathered(parts: Values) -> Values:
        if not tiled:
            shape = parts[0].shape
            parts = [_reshaped(p, (*shape[:at], 1, *shape[at:])) for p in parts]
        return [_joined(parts, at)] * len(parts)
    return _in_groups(grid, x, as_names(axis_name), axis_index_groups, gathered)


@_rule("reduce_scatter")
def _reduce_scatter(grid: Grid, x: Values, *, axis_name: Any, scatter_dimension: int,
                    axis_index_groups: Any, axis_size: int, tiled: bool) -> Values:
    at = scatter_dimension

    def scattered(parts: Values) -> Values:
        out = _pieces(_total(add_p, parts), at, axis_size)
        if tiled:
            return out
        shape = out[0].shape
        return [_reshaped(p, (*shape[:at], *shape[at + 1:])) for p in out]
    return _in_groups(grid, x, as_names(axis_name), axis_index_groups, scattered)


@_rule("all_to_all")
def _all_to_all(grid: Grid, x: Values, *, axis_name: Any, split_axis: int, concat_axis: int,
                axis_index_groups: Any, tiled: bool) -> Values:
    def exchanged(parts: Values) -> Values:
        pieces = [_pieces(p, split_axis, len(parts)) for p in parts]
        return [_joined([row[i] for row in pieces], concat_axis) for i in range(len(parts))]
    return _in_groups(grid, x, as_names(axis_name), axis_index_groups, exchanged)
