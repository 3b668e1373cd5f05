"""What XLA makes of a sharding: into how many tiles, and which device holds which.

Two shardings that mean the same for an array of n dimensions give the same
`HloSharding`, whatever their axis names: that is what "semantically equal"
compares.

JAX source: `jax/_src/named_sharding.py: named_sharding_to_xla_hlo_sharding`;
`jax/_src/op_shardings.py`.

Simplified: no manual and no unreduced subgroups.
"""

from __future__ import annotations

import itertools
import math

from simulator.placement.devices import transposed


class HloSharding:
    """Tiles per dimension, copies of each tile, and the devices in tile order.

    Args:
      tiles: number of pieces per dimension, or None for "a full copy everywhere".
      copies: devices that hold the same piece.
      iota: (mesh shape, order of its axes), of which the device order follows.
    """

    __slots__ = ("tiles", "copies", "iota", "order")

    def __init__(self, tiles=None, copies: int = 1, iota=((), ())):
        self.tiles, self.copies = tiles, copies
        self.iota = _canonical_iota(*iota)
        self.order = () if tiles is None else tuple(
            transposed(range(math.prod(self.iota[0])), *self.iota))

    @property
    def replicated(self) -> bool:
        """Whether every device has all of it, be it said so or because there is one device."""
        return self.tiles is None or len(self.order) == 1

    def is_replicated(self) -> bool:
        """Whether it says "replicated"."""
        return self.tiles is None

    def num_devices(self) -> int:
        """How many devices the tiles are on; 0 when it says "replicated"."""
        return len(self.order)

    def _key(self):
        return self.tiles, self.copies, self.order

    def __eq__(self, other):
        return isinstance(other, HloSharding) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        if self.tiles is None:
            return "{replicated}"
        dims = [*self.tiles, *([self.copies] if self.copies > 1 else [])]
        shape, axes = self.iota
        order = ",".join(map(str, shape))
        turned = f"T({','.join(map(str, axes))})" if list(axes) != sorted(axes) else ""
        last = " last_tile_dim_replicate" if self.copies > 1 else ""
        return f"{{devices=[{','.join(map(str, dims))}]<=[{order}]{turned}{last}}}"

    def indices(self, shape: tuple[int, ...], num_devices: int) -> list[tuple]:
        """Per device (in assignment order) the slices of the array that it holds."""
        if self.replicated:
            return [(slice(None),) * len(shape)] * num_devices
        cuts = []
        for size, pieces in zip(shape, self.tiles):
            step = size // pieces
            cuts.append([slice(None)] if pieces == 1 else
                        [slice(i * step, (i + 1) * step) for i in range(pieces)])
        out: list = [None] * num_devices
        devices = iter(self.order)
        for piece in itertools.product(*cuts):
            for _ in range(self.copies):
                out[next(devices)] = piece
        return out


def equal(a: HloSharding, b: HloSharding) -> bool:
    """The same layout of data; a full copy everywhere equals any other full copy."""
    return a is b or (a.replicated and b.replicated) or a == b


def _canonical_iota(shape, axes) -> tuple[tuple, tuple]:
    """The shortest (shape, axes) with the same device order; it decides the text."""
    keep = [i for i, n in enumerate(shape) if n != 1]
    position = {axis: i for i, axis in enumerate(keep)}
    shape = [shape[i] for i in keep]
    axes = [position[a] for a in axes if a in position]
    groups: list[list[int]] = []
    for axis in axes:     # neighbours that stay neighbours become one axis
        if groups and groups[-1][-1] + 1 == axis:
            groups[-1].append(axis)
        else:
            groups.append([axis])
    by_axis = sorted(groups)
    sizes = tuple(math.prod(shape[a] for a in g) for g in by_axis) or (1,)
    order = tuple(by_axis.index(g) for g in groups) or (0,)
    return sizes, order


REPLICATED = HloSharding()


def from_spec(axis_names: tuple, axis_sizes: tuple, spec, ndim: int) -> HloSharding:
    """The layout of an n-dimensional array with this spec on a mesh of these axes."""
    size = dict(zip(axis_names, axis_sizes))
    used: list = []
    tiles = [1] * ndim
    for dim, name in named_dims(spec):
        if size[name] > 1:
            used.append(name)
            tiles[dim] *= size[name]
    rest = [n for n in axis_names if n not in used and size[n] > 1]
    if not used:
        return REPLICATED
    order = [axis_names.index(n) for n in (*used, *rest)]
    order += [i for i, n in enumerate(axis_names) if size[n] == 1]
    return HloSharding(tuple(tiles), math.prod(size[n] for n in rest),
                       (tuple(axis_sizes), tuple(order)))


def named_dims(spec) -> list[tuple]:
    """[(dimension, axis name), …] of a spec, in order."""
    out = []
    for dim, part in enumerate(spec.partitions):
        if part is not None and part is not spec.UNCONSTRAINED:
            out.extend((dim, n) for n in (part if isinstance(part, tuple) else (part,)))
    return out
