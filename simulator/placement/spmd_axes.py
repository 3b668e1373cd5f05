"""Mesh axes, and parts of them, as XLA cuts a dimension by them.

An axis that is too long for a dimension is cut: its major part goes on. A part is
(name, product of the more major parts, own size); a dimension has a tuple of
parts, major first. A whole axis is (name, 1, its size).

JAX source: none; Shardy calls them sub-axes (openxla/shardy: sub-axis).
"""

from __future__ import annotations

import math

Part = tuple[str, int, int]
Axes = tuple[Part, ...]


def merged(axes: list[Part] | Axes) -> Axes:
    """The same axes with neighbouring parts of one axis put together."""
    out: list[Part] = []
    for name, before, size in axes:
        if out and out[-1][0] == name and out[-1][1] * out[-1][2] == before:
            out[-1] = (name, out[-1][1], out[-1][2] * size)
        else:
            out.append((name, before, size))
    return tuple(out)


def starts(short: Axes, long: Axes) -> bool:
    """Whether `long` begins with `short`."""
    for i, part in enumerate(short):
        if i >= len(long):
            return False
        if part == long[i]:
            continue
        return (i == len(short) - 1 and part[:2] == long[i][:2]
                and long[i][2] % part[2] == 0)
    return True


def overlap(one: Axes, other: Axes) -> bool:
    """Whether two dimensions would be cut by the same part of an axis."""
    return any(a[0] == b[0] and a[1] < b[1] * b[2] and b[1] < a[1] * a[2]
               for a in one for b in other)


def deal(axes: Axes, pieces: list[int], sizes: list[int]) -> dict[int, tuple[Axes, bool]]:
    """Axes of a dimension dealt out to the pieces it consists of, major first.

    Returns per piece what it gets and whether that fills it.
    """
    out: dict[int, tuple[Axes, bool]] = {}
    rest = list(axes)
    for piece in pieces:
        left, taken = sizes[piece], []
        while rest and (common := math.gcd(left, rest[0][2])) > 1:
            name, before, size = rest.pop(0)
            taken.append((name, before, common))
            left //= common
            if common < size:
                rest.insert(0, (name, before * common, size // common))
                break
        out[piece] = merged(taken), left == 1
        if left != 1:
            break
    return out


def whole(n: int, axes: Axes, full: dict[str, int]) -> tuple[str, ...]:
    """The names of the axes that divide a dimension of size `n` evenly.

    What is left, and parts of axes, are dropped at the border of a program.
    """
    kept = []
    for name, before, size in axes:
        if before != 1 or size != full[name] or n % size:
            break
        n //= size
        kept.append(name)
    return tuple(kept)
