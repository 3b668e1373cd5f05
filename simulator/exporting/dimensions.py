"""Sizes that are symbols: ``jax.export.symbolic_shape("a, b")``.

A symbol stands for a whole number of at least 1. Sums and products of symbols are sizes,
too. Two sizes are equal when they are the same polynomial.

JAX source: ``jax/_src/export/shape_poly.py: _DimExpr, symbolic_shape``.

Simplified: there are no quotients, no constraints, and no bounds beyond the one above;
what asks for them is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from simulator.errors import OutOfScope


def refused(what: str) -> OutOfScope:
    """The OutOfScope for `what` cannot be done with sizes that are symbols."""
    return OutOfScope(what, "sizes that are symbols are followed through sums, products and "
                      "broadcasts; export one size")


class Dimension:
    """A polynomial of symbols.

    Args:
      terms: sorted names of symbols, one for each factor -> coefficient; never zero.
    """

    __slots__ = ("_terms",)

    def __init__(self, terms: Mapping[tuple[str, ...], int]):
        self._terms = {names: n for names, n in terms.items() if n}

    @property
    def symbols(self) -> set[str]:
        """The names of the symbols in it."""
        return {name for names in self._terms for name in names}

    def value(self, sizes: Mapping[str, int]) -> int:
        """The number for given numbers of the symbols."""
        total = 0
        for names, n in self._terms.items():
            for name in names:
                n *= sizes[name]
            total += n
        return total

    def _combine(self, other: Any, sign: int) -> Any:
        terms = dict(self._terms)
        for names, n in _terms(other).items():
            terms[names] = terms.get(names, 0) + sign * n
        return _made(terms)

    def __add__(self, other: Any) -> Any:
        return self._combine(other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._combine(other, -1)

    def __rsub__(self, other: Any) -> Any:
        return (self * -1)._combine(other, 1)

    def __mul__(self, other: Any) -> Any:
        terms: dict = {}
        for one, n in self._terms.items():
            for two, m in _terms(other).items():
                names = tuple(sorted((*one, *two)))
                terms[names] = terms.get(names, 0) + n * m
        return _made(terms)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dimension) and self._terms == other._terms

    def __hash__(self) -> int:
        return hash(frozenset(self._terms.items()))

    def _least(self) -> int | None:
        # A lower bound, if all symbols make the size larger.
        if any(n < 0 for names, n in self._terms.items() if names):
            return None
        return sum(self._terms.values())

    def _known(self, other: Any, holds: str) -> bool:
        # Comparisons that are decided by "at least 1".
        below = self - other
        if isinstance(below, int):
            return {"<": below < 0, "<=": below <= 0, ">": below > 0, ">=": below >= 0}[holds]
        least = below._least()
        if least is not None and (least > 0 or least == 0 and holds in ("<", ">=")):
            return holds in (">", ">=")
        raise refused(f"the comparison {self} {holds} {other}")

    def __lt__(self, other: Any) -> bool:
        return self._known(other, "<")

    def __le__(self, other: Any) -> bool:
        return self._known(other, "<=")

    def __gt__(self, other: Any) -> bool:
        return self._known(other, ">")

    def __ge__(self, other: Any) -> bool:
        return self._known(other, ">=")

    def __bool__(self) -> bool:
        return True

    def __index__(self) -> int:
        raise refused(f"the size {self} as a number")

    __int__ = __index__

    def _quotient(self, other: Any) -> Any:
        raise refused(f"a quotient of the size {self}")

    __floordiv__ = __mod__ = __truediv__ = __divmod__ = __rfloordiv__ = __rmod__ = _quotient

    def __str__(self) -> str:
        parts = []
        for names, n in sorted(self._terms.items(), key=lambda t: (-len(t[0]), t[0])):
            text = "*".join(names)
            size = abs(n)
            shown = str(size) if not text else text if size == 1 else f"{size}*{text}"
            parts.append((f" {'-' if n < 0 else '+'} " if parts else "-" if n < 0 else "") + shown)
        return "".join(parts)

    __repr__ = __str__


def _terms(value: Any) -> Mapping[tuple[str, ...], int]:
    if isinstance(value, Dimension):
        return value._terms
    return {(): int(value)}


def _made(terms: Mapping[tuple[str, ...], int]) -> Any:
    made = Dimension(terms)
    if set(made._terms) <= {()}:
        return made._terms.get((), 0)
    return made


_TERM = r"\s*([+-]?)\s*((?:[A-Za-z_]\w*|\d+)(?:\s*\*\s*(?:[A-Za-z_]\w*|\d+))*)"


def parse(spec: str) -> tuple:
    """``"b, 3, 2*a + 1"`` as a shape. OutOfScope for anything but sums and products."""
    inside = spec.strip().removeprefix("(").removesuffix(")").rstrip(",")
    return tuple(map(_parse_one, inside.split(","))) if inside.strip() else ()


def _parse_one(text: str) -> Any:
    total: Any = 0
    rest = text.strip()
    while rest:
        found = re.match(_TERM, rest)
        if found is None:
            raise refused(f"the size {text.strip()!r}")
        term: Any = -1 if found[1] == "-" else 1
        for factor in re.split(r"\s*\*\s*", found[2]):
            term = term * (int(factor) if factor.isdigit() else Dimension({(factor,): 1}))
        total, rest = total + term, rest[found.end():].strip()
    return total


def symbols_in(shapes: Iterable[Iterable[Any]]) -> set[str]:
    """The symbols in some shapes."""
    return {name for shape in shapes for size in shape if isinstance(size, Dimension)
            for name in size.symbols}
