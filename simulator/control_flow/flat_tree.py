"""How the operands of a `scan` are grouped: constants, carry, sequences.

The parameters ``ft_in`` and ``ft_out`` of a `scan` are trees without values. Taking
leaves away keeps their place, so that they can be put back; a jaxpr shows it.

JAX source: ``jax/_src/flattree.py: FTTuple, FTSingleton, FTPyTree, FTFiltered``;
``jax/_src/util.py: Either``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from simulator import process


class FlatTree:
    """A structure with leaves in a row. Subclasses say how they map a function over them.

    `shown_as`: the name of JAX's class, for the texts of keys.
    """

    shown_as = "FTPyTree"

    def map(self, function: Callable) -> FlatTree:
        """The same structure, every leaf replaced by ``function(leaf)``."""
        raise NotImplementedError

    @property
    def vals(self) -> list:
        """The leaves in order."""
        found: list = []
        self.map(found.append)
        return found

    def __len__(self) -> int:
        return len(self.vals)

    def __iter__(self) -> Iterator:
        return iter(self.vals)

    def update(self, values: Iterable) -> FlatTree:
        """The same structure with other leaves."""
        values = list(values)
        assert len(values) == len(self)
        rest = iter(values)
        return self.map(lambda _: next(rest))

    def unpack(self) -> tuple[FlatTree, ...]:
        """The parts of a group."""
        raise TypeError(f"no group: {self}")

    def void(self) -> FlatTree:
        """The same structure without values."""
        return self.map(lambda _: None)

    def filter(self, mask: Sequence[bool]) -> FlatTree:
        """Only the leaves where `mask` is true; the others are kept out of sight."""
        keep = iter(list(mask))
        return _filtered(self.map(lambda x: Either(next(keep), x)))

    def unfilter(self) -> FlatTree:
        """All leaves again."""
        raise TypeError(f"nothing was taken away: {self}")


class Either:
    """A leaf that is there (right) or was taken away (left)."""

    __slots__ = ("there", "value")

    def __init__(self, there: bool, value: Any):
        self.there, self.value = bool(there), value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Either) and (self.there, self.value) == (other.there, other.value)

    def __hash__(self) -> int:
        return hash((self.there, self.value))

    def __repr__(self) -> str:
        return f"{'Right' if self.there else 'Left'}({self.value})"


class Single(FlatTree):
    """One leaf."""

    shown_as = "FTSingleton"

    __slots__ = ("value",)

    def __init__(self, value: Any = None):
        self.value = value

    def map(self, function: Callable) -> FlatTree:
        return Single(function(self.value))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Single) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return repr(self.value)


class Group(FlatTree):
    """Several trees side by side."""

    shown_as = "FTTuple"

    __slots__ = ("parts",)

    def __init__(self, *parts: FlatTree):
        self.parts = parts

    def map(self, function: Callable) -> FlatTree:
        return Group(*[part.map(function) for part in self.parts])

    def unpack(self) -> tuple[FlatTree, ...]:
        return self.parts

    def unfilter(self) -> FlatTree:
        return Group(*[part.unfilter() for part in self.parts])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Group) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(self.parts)

    def __repr__(self) -> str:
        return repr(self.parts)


class Shaped(FlatTree):
    """Leaves in the structure of a pytree."""

    __slots__ = ("leaves", "tree")

    def __init__(self, leaves: Iterable, tree: Any):
        self.leaves, self.tree = tuple(leaves), tree

    def map(self, function: Callable) -> FlatTree:
        return Shaped(map(function, self.leaves), self.tree)

    def unpack(self) -> tuple[FlatTree, ...]:
        parts, rest = [], iter(self.leaves)
        for child in self.tree.children():
            parts.append(Shaped([next(rest) for _ in range(child.num_leaves)], child))
        return tuple(parts)

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Shaped) and self.leaves == other.leaves
                and self.tree == other.tree)

    def __hash__(self) -> int:
        return hash((self.leaves, self.tree))

    def __repr__(self) -> str:
        return f"Pytree(vals={list(self.leaves)}, tree={self.tree})"


class Filtered(FlatTree):
    """A leaf that a filter has seen; it counts only when it is still there."""

    shown_as = "FTFiltered"

    __slots__ = ("inner",)

    def __init__(self, inner: FlatTree):
        self.inner = inner  # its leaves are `Either`s

    def map(self, function: Callable) -> FlatTree:
        return Filtered(self.inner.map(
            lambda e: Either(True, function(e.value)) if e.there else e))

    def unpack(self) -> tuple[FlatTree, ...]:
        return tuple(map(Filtered, self.inner.unpack()))

    def unfilter(self) -> FlatTree:
        return self.inner.map(lambda e: e.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Filtered) and self.inner == other.inner

    def __hash__(self) -> int:
        return hash(self.inner)

    def __repr__(self) -> str:
        return f"RightsOnly({self.inner})"


def _filtered(tree: FlatTree) -> FlatTree:
    if isinstance(tree, Group):
        return Group(*map(_filtered, tree.parts))
    return Filtered(tree)


def shaped(tree: Any) -> Shaped:
    """A pytree as a tree without values."""
    leaves, structure = process.current().registries.tracing.flatten(tree)
    return Shaped([None] * len(leaves), structure)


def nones(n: int) -> Group:
    """`n` leaves without values."""
    return Group(*[Single() for _ in range(n)])


def zipstar(tree: FlatTree) -> Group:
    """``(a, b), (c, d)`` becomes ``(a, c), (b, d)``."""
    return Group(*[Group(*pair) for pair in zip(*[part.unpack() for part in tree.unpack()])])
