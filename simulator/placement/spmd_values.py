"""What the partitioner knows of one array: the mesh axes that cut each dimension."""

from __future__ import annotations

from typing import Any

from simulator.placement import spmd_axes
from simulator.placement.partition_spec import UNCONSTRAINED
from simulator.placement.sharding_types import NamedSharding
from simulator.placement.spmd_axes import Axes


class Unknown(Exception):
    """The partitioner's choice cannot be followed."""


class Value:
    """What is known of one array: axes per dimension, and whether that is final.

    An array without elements is a constant for XLA before anything is spread: it has
    no axes, whatever was asked for, and passes none on.
    """

    __slots__ = ("dims", "empty", "pinned", "unknown")

    def __init__(self, shape: tuple):
        self.dims: list[Axes] = [()] * len(shape)
        self.pinned = self.empty = 0 in shape
        self.unknown = False

    def pin(self, sharding: Any) -> None:
        """The sharding is said, and nothing that is passed on changes it."""
        self.pinned = True
        if self.empty or not isinstance(sharding, NamedSharding):
            return
        for dim, part in enumerate(sharding.spec.partitions):
            if part is not None and part is not UNCONSTRAINED:
                names = part if isinstance(part, tuple) else (part,)
                self.dims[dim] = tuple((n, 1, sharding.mesh.shape[n]) for n in names)

    def offer(self, dim: int, axes: Axes) -> bool:
        """Takes over `axes` for a dimension; True when that is news."""
        have = self.dims[dim]
        if self.pinned or spmd_axes.starts(axes, have):
            return False
        if not spmd_axes.starts(have, axes):
            raise Unknown
        if any(spmd_axes.overlap(axes, d) for i, d in enumerate(self.dims) if i != dim):
            return False   # an axis cuts an array only once
        self.dims[dim] = axes
        return True
