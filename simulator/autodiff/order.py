"""Values sorted so that each comes after what it is made from.

Among the many such orders this is JAX's: constants get their place in a jaxpr by it.

JAX source: ``jaxlib/utils.cc: TopologicalSort``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any


def topological(ends: Iterable[Any], parents: Callable[[Any], Sequence[Any]]) -> list:
    """Everything that `ends` are made from, and they, what is needed first.

    Args:
      parents: what a value is made from.
    """
    ends = list({id(e): e for e in ends}.values())
    uses: dict[int, int] = {}
    todo = list(ends)
    while todo:
        item = todo.pop()
        if id(item) in uses:
            uses[id(item)] += 1
        else:
            uses[id(item)] = 1
            todo.extend(parents(item))
    for item in ends:
        uses[id(item)] -= 1
    out = []
    free = [item for item in ends if not uses[id(item)]]
    while free:
        item = free.pop()
        out.append(item)
        for parent in parents(item):
            if uses[id(parent)] == 1:
                free.append(parent)
            else:
                uses[id(parent)] -= 1
    return out[::-1]
