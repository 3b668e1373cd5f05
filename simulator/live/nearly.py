"""Values of a run, compared as numbers.

Simplified: the model rounds after each operation. XLA fuses operations and adds in
another order, so that the last digits of a float may differ; they differ from one
processor to the next, too. A value is the same when every float agrees to one unit
of the sixth digit, the last one shown. Everything else has to be equal.
"""

from __future__ import annotations

import math
import re

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def same(mine: str | None, theirs: str | None) -> bool:
    """Whether two value texts (``f32[3](0,1.5,2)``) say the same."""
    if mine == theirs or mine is None or theirs is None:
        return mine == theirs
    if _NUMBER.sub("#", mine) != _NUMBER.sub("#", theirs):
        return False
    return all(a == b or _close(a, b)
               for a, b in zip(_NUMBER.findall(mine), _NUMBER.findall(theirs)))


def _close(a: str, b: str) -> bool:
    if not re.search("[.e]", a + b):
        return False
    x, y = float(a), float(b)
    largest = max(abs(x), abs(y))
    return abs(x - y) <= 1.001 * 10.0 ** (math.floor(math.log10(largest)) - 5)
