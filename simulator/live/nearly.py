"""Values of a run, compared as numbers.

Simplified: the model rounds after each operation and has functions such as tanh from
Python. XLA fuses operations, adds in another order and has approximations of its own,
so that the last digits of a float may differ; they differ from one processor to the
next, too. A value is the same when its floats agree to two parts in a hundred
thousand, or to a millionth of the largest of them: what cancels out loses digits.
The sign of a zero does not count: XLA turns a product with a mask into a choice.
Everything else has to be equal.
"""

from __future__ import annotations

import cmath
import re

_SHOWN = re.compile(r"\(([^()]*)\)")


def same(mine: str | None, theirs: str | None) -> bool:
    """Whether two value texts (``f32[3](0,1.5,2)``) say the same."""
    if mine == theirs or mine is None or theirs is None:
        return mine == theirs
    ours, real = ([n for part in _SHOWN.findall(text) for n in part.split(",")]
                  for text in (mine, theirs))
    if _SHOWN.sub("#", mine) != _SHOWN.sub("#", theirs) or len(ours) != len(real):
        return False
    largest = max((abs(x) for x in map(_number, real) if x is not None and cmath.isfinite(x)),
                  default=0)
    return all(a == b or _close(a, b, 1e-6 * largest) for a, b in zip(ours, real))


def _number(text: str) -> float | complex | None:
    for kind in (float, complex):
        try:
            return kind(text)
        except ValueError:
            continue
    return None


def _close(a: str, b: str, tolerance: float) -> bool:
    if {a, b} == {"0", "-0"}:
        return True
    x, y = _number(a), _number(b)
    if x is None or y is None or not re.search("[.ej]", a + b):
        return False
    return cmath.isclose(x, y, rel_tol=2e-5, abs_tol=tolerance)
