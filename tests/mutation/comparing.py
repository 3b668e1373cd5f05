"""Other ways to compare: functions that give an object with the wanted ``==`` and hash."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

Wrap = Callable[[Any], Hashable]


class Identity:
    """Equal to itself only."""

    def __init__(self, value: Any):
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


class By:
    """Compared by a function of two values."""

    def __init__(self, value: Any, equal: Callable[[Any, Any], bool]):
        self.value, self.equal = value, equal

    def __eq__(self, other: object) -> bool:
        return isinstance(other, By) and bool(self.equal(self.value, other.value))

    def __hash__(self) -> int:
        return 0


def dropped(value: Any) -> None:
    """Not compared at all."""


def identity(value: Any) -> Hashable:
    """By identity, element by element."""
    return tuple(map(identity, value)) if type(value) is tuple else Identity(value)


def exact(value: Any) -> Hashable:
    """By ``==`` and type, down to the innermost element."""
    if isinstance(value, tuple):
        return type(value), tuple(map(exact, value))
    return type(value), value


def each(wrap: Wrap) -> Wrap:
    """A wrap for every element of a tuple."""
    return lambda values: tuple(map(wrap, values))


def by(equal: Callable[[Any, Any], bool]) -> Wrap:
    """Every element of a tuple by a function of two values."""
    return each(lambda value: By(value, equal))


def in_any_order(values: tuple) -> Hashable:
    """The elements of a tuple, whatever their order."""
    return tuple(sorted(map(repr, values)))


def count(values: tuple) -> int:
    """Only how many elements there are."""
    return len(values)


def some(values: tuple) -> bool:
    """Only whether any of them is true."""
    return any(values)


def names_only(pairs: tuple) -> Hashable:
    """Of (name, value) pairs the names."""
    return tuple(name for name, _ in pairs)


def values_only(pairs: tuple) -> Hashable:
    """Of (name, value) pairs the values."""
    return tuple(value for _, value in pairs)


def without(*left_out: str, among: tuple[str, ...]) -> Wrap:
    """Objects by the attributes `among` that are not left out."""
    kept = [name for name in among if name not in left_out]
    return each(lambda value: tuple(getattr(value, name) for name in kept))


def item(*indices: int) -> Wrap:
    """Some items of a tuple."""
    return lambda value: tuple(value[i] for i in indices)


def items(*indices: int) -> Wrap:
    """Some items of every tuple in a tuple."""
    return each(item(*indices))
