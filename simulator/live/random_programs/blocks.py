"""Cut a program that differs down to a short one: blocks first, then lines of blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

MOST_TRIALS = 120


def shrink(blocks: Sequence[str], fails: Callable[[list[str]], bool],
           most: int = MOST_TRIALS) -> list[str]:
    """The shortest list of blocks found that still fails.

    Args:
      blocks: a program that fails; its first block always stays.
      fails: whether a program fails in the same way.
      most: how many programs are tried at most.
    """
    left = [most]
    head, rest = blocks[0], list(blocks[1:])
    rest = _without(rest, lambda found: fails([head, *found]), left)
    for i, block in enumerate(rest):
        lines = _without(block.splitlines(), lambda found, i=i: fails(
            [head, *rest[:i], "\n".join(found), *rest[i + 1:]]), left)
        rest[i] = "\n".join(lines)
    return [head, *rest]


def _without(parts: list[str], fails: Callable[[list[str]], bool], left: list[int]) -> list[str]:
    size = max(1, len(parts) // 2)
    while size:
        start = 0
        while start < len(parts):
            shorter = parts[:start] + parts[start + size:]
            if left[0] > 0 and len(parts) > 1:
                left[0] -= 1
                if fails(shorter):
                    parts = shorter
                    continue
            start += size
        size //= 2
    return parts
