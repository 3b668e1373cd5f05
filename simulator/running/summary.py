"""Short texts for results and errors, the same on both sides.

A result shows dtype, shape, a ``*`` for a weak type and its first three numbers:
enough to see a stale or a wrong value.
"""

from __future__ import annotations

import re
from typing import Any

from simulator.device_arrays.arrays import Array
from simulator.trees import pytrees
from simulator.types.scalar_types import Generic

LEAVES, NUMBERS = 4, 3

def _sorted_words(found: re.Match) -> str:
    return found[1] + " ".join(sorted(found[2].split())) + found[3]


def _sorted_list(found: re.Match) -> str:
    return found[1] + ", ".join(sorted(found[2].split(", "))) + found[3]


# (what every match begins with, the pattern, what takes its place)
_HIDDEN = (
    ("key sets: {", r"(key sets: \{)([^}]*)(\})", _sorted_words),  # printed in the order of a set
    ("Accepted dtypes", r"(Accepted dtypes(?: at position \d+)? are subtypes of )([^.]*)(\.)", _sorted_list),
    ("Input dtypes (", r"(Input dtypes \()([^)]*)(\) have no)", _sorted_list),
    ("0x", r"0x[0-9a-fA-F]{6,}", "<addr>"),
    # A pattern that begins with \b would be tried at every character, one with letters is not.
    ("id=", r"id=(?<=\bid=)\d+", "id=<id>"),
    ("-", r"-[0-9a-f]{64}\b", "-<key>"),
)


def hide(text: str) -> str:
    """Replace what differs from run to run (addresses, ids, hashes, orders of sets)."""
    for start, pattern, instead in _HIDDEN:
        if start in text:
            text = re.sub(pattern, instead, text)
    return text


def said(error: BaseException) -> str:
    """What an error says; a program's own may fail to say it, and Python tells it so, too."""
    try:
        return str(error)
    except Exception:
        return "<exception str() failed>"


def exception(error: BaseException) -> str:
    """``TypeError: first line``, at most 300 characters."""
    first = (said(error).strip().splitlines() or [""])[0]
    return hide(f"{type(error).__name__}: {first}")[:300]


def value(result: Any) -> str:
    """Text for a result; its first leaves only."""
    return hide(" ".join(_leaf(leaf) for leaf in pytrees.tree_leaves(result)[:LEAVES]))


def _leaf(leaf: Any) -> str:
    if isinstance(leaf, Array):
        text = leaf.program_aval.str_short(True) + ("*" if leaf.aval.weak_type else "")
        if leaf.is_deleted():
            return text + "(deleted)"
        if leaf.dtype.family == "k":
            return text
        numbers = leaf.storage().ravel()[:NUMBERS].tolist()
        return text + "(" + ",".join(
            f"{n:.6g}" if isinstance(n, float) else str(n) for n in numbers) + ")"
    if isinstance(leaf, (int, float, bool, str, Generic)):
        return f"{type(leaf).__name__}({leaf})"
    return type(leaf).__name__


