"""Numbers that are not determined: eigenvectors and singular vectors.

Each may have either sign, and vectors of equal values may be turned. What LAPACK gives
is not followed. So a program with such vectors is computed several times, each time with
another choice. Results that do not depend on it are right; the others are refused when
somebody looks at them.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from simulator.errors import OutOfScope
from simulator.jaxprs.evaluate import LOOSE
from simulator.jaxprs.jaxpr import Jaxpr, subjaxprs
from simulator.ndarrays.ndarray import NDArray

_choice = 0
CHOICES = 3


def is_loose(jaxpr: Jaxpr) -> bool:
    """Whether a program computes such vectors."""
    return any(e.primitive.name in LOOSE or any(map(is_loose, subjaxprs(e.params)))
               for e in jaxpr.eqns)


@contextlib.contextmanager
def _choosing(choice: int) -> Iterator[None]:
    global _choice
    before, _choice = _choice, choice
    try:
        yield
    finally:
        _choice = before


def choice() -> int:
    """Which choice counts now."""
    return _choice


def turned(vectors: list[list[float]], values: Sequence[float], choice: int) -> list[list[float]]:
    """The same vectors (as rows) after another choice."""
    if not choice:
        return vectors
    scale = max(map(abs, values), default=0.0) or 1.0
    vectors = [list(v) for v in vectors]
    for i in range(len(vectors) - 1):
        near = i + 1 >= len(values) or abs(values[i] - values[i + 1]) <= 1e-5 * scale
        if near:
            c, s = math.cos(choice), math.sin(choice)
            x, y = vectors[i], vectors[i + 1]
            vectors[i] = [c * a - s * b for a, b in zip(x, y)]
            vectors[i + 1] = [s * a + c * b for a, b in zip(x, y)]
    return [[-x for x in v] if (i * 7 + choice) % (choice + 1) == 0 else v
            for i, v in enumerate(vectors)]


def run(evaluate: Callable, jaxpr: Jaxpr, args: Sequence[NDArray]) -> list[NDArray]:
    """`evaluate` a program under every choice; return what they agree in."""
    found = []
    for number in range(CHOICES):
        with _choosing(number):
            outs = evaluate(jaxpr, args)
            found.append([(out, out.values()) for out in outs])
    return [_agreed([run[i] for run in found]) for i in range(len(jaxpr.outvars))]


def _agreed(versions: list[tuple[NDArray, list]]) -> NDArray:
    first, numbers = versions[0]
    if all(_close(numbers, other) for _, other in versions[1:]):
        return first

    def refuse(*lists: list) -> list:
        raise OutOfScope("the signs of eigenvectors and singular vectors",
                         "LAPACK chooses them; look at what does not depend on them, such as "
                         "eigenvalues or products of the factors")
    return NDArray.lazy(first.shape, first.dtype, refuse, [])


def _close(one: list, other: list) -> bool:
    scale = max((abs(x) for x in one if not _strange(x)), default=0.0)
    return all(x == y or (_strange(x) and _strange(y)) or abs(x - y) <= 1e-5 * scale
               for x, y in zip(one, other))


def _strange(x: Any) -> bool:
    return x != x
