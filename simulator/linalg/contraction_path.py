"""In which order ``jax.numpy.einsum`` contracts its arrays, and how its text is read.

JAX asks the package opt_einsum (3.4) for both: ``opt_einsum/parser.py: parse_einsum_input``;
``opt_einsum/contract.py: contract_path``; ``opt_einsum/paths.py: optimal, BranchBound``.
What a pair costs is remembered there by the letters of the two arrays alone, whatever
else remains; the order that comes out depends on it, so it is the same here.

Simplified: up to 14 arrays, and the paths "auto", "optimal", "branch-…" and given ones.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Sequence
from typing import Any

from simulator.errors import OutOfScope

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

Step = tuple[tuple[int, ...], frozenset[str], str]  # which arrays, letters that go, "b,a->c"


def interleaved(operands: Sequence[Any]) -> tuple[str, tuple]:
    """The form ``einsum(a, [0, 1], b, [1, 2], [0, 2])`` as (subscripts, arrays)."""
    pairs = len(operands) // 2
    arrays, lists = operands[:2 * pairs:2], list(operands[1:2 * pairs:2])
    symbols = sorted({s for names in lists for s in names if s is not Ellipsis})
    letter = {s: _LETTERS[i] for i, s in enumerate(symbols)}
    letter[Ellipsis] = "..."
    texts = ["".join(letter[s] for s in names) for names in lists]
    tail = "->" + "".join(letter[s] for s in operands[-1]) if len(operands) % 2 else ""
    return ",".join(texts) + tail, tuple(arrays)


def parse(subscripts: str, shapes: Sequence[tuple]) -> tuple[list[str], str]:
    """(letters of each array, letters of the result), with letters in place of the dots.

    Errors: ValueError for what is no subscript of these shapes.
    """
    text = subscripts.replace(" ", "")
    if ("-" in text or ">" in text) and (text.count("-"), text.count(">"), text.count("->")) \
            != (1, 1, 1):
        raise ValueError("Subscripts can only contain one '->'.")
    given, arrow, result = text.partition("->")
    terms = given.split(",")
    if "." in text:
        terms, result = _without_dots(text, terms, bool(arrow), result, shapes)
    elif not arrow:
        result = _once("".join(terms))
    for name in result:
        if result.count(name) != 1:
            raise ValueError(f"Output character '{name}' appeared more than once in the output.")
        if not any(name in term for term in terms):
            raise ValueError(f"Output character '{name}' did not appear in the input")
    if len(terms) != len(shapes):
        raise ValueError(f"Number of einsum subscripts, {len(terms)}, must be equal to the number "
                         f"of operands, {len(shapes)}.")
    return terms, result


def _once(names: str) -> str:
    return "".join(sorted(n for n in set(names) if names.count(n) == 1))


def _without_dots(text: str, terms: list, arrow: bool, result: str, shapes: Sequence[tuple]
                  ) -> tuple:
    longest_shape = max(map(len, shapes))
    free = [n for n in _LETTERS if n not in text][:longest_shape]
    longest = 0
    terms = list(terms)
    for i, (term, shape) in enumerate(zip(terms, shapes)):
        if "." not in term:
            continue
        if term.count(".") != 3 or "..." not in term:
            raise ValueError("Invalid Ellipses.")
        count = len(shape) - (len(term) - 3) if shape else 0
        if count < 0:
            raise ValueError("Ellipses lengths do not match.")
        longest = max(longest, count)
        terms[i] = term.replace("...", "".join(free[len(free) - count:]))
    dots = "".join(free[len(free) - longest:])
    if arrow:
        return terms, result.replace("...", dots)
    rest = _once("".join(terms))
    return terms, dots + "".join(sorted(set(rest) - set(dots)))


def steps(terms: Sequence[str], result: str, shapes: Sequence[tuple], optimize: Any
          ) -> tuple[Step, ...]:
    """The contractions, one after the other; what each leaves goes to the end of the list.

    Errors: ValueError for shapes that do not fit; OutOfScope for other ways to choose.
    """
    sizes = _sizes(terms, shapes)
    names = list(terms)
    found: list[Step] = []
    path = _path(terms, result, sizes, optimize)
    for number, places in enumerate(path):
        places = tuple(sorted(places, reverse=True))
        taken = [names.pop(i) for i in places]
        all_taken = frozenset("".join(taken))
        left = all_taken & frozenset(result).union(*names)
        if number == len(path) - 1:
            out = result
        else:
            out = "".join(sorted(left, key="".join(taken).find))
        found.append((places, all_taken - left, ",".join(taken) + "->" + out))
        names.append(out)
    return tuple(found)


def _sizes(terms: Sequence[str], shapes: Sequence[tuple]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for i, (term, shape) in enumerate(zip(terms, shapes)):
        if len(term) != len(shape):
            raise ValueError(f"Einstein sum subscript '{term}' does not contain the correct "
                             f"number of indices for operand {i}.")
        for name, n in zip(term, shape):
            n = n if isinstance(n, int) else 8      # any number for a size that is a symbol
            known = sizes.setdefault(name, n)
            if known == 1:
                sizes[name] = n
            elif n not in (1, known):
                raise ValueError(f"Size of label '{name}' for operand {i} ({known}) does not match "
                                 f"previous terms ({n}).")
    return sizes


def _path(terms: Sequence[str], result: str, sizes: dict, optimize: Any) -> Sequence[tuple]:
    count = len(terms)
    if not isinstance(optimize, (str, bool)):
        return optimize
    if count <= 2:
        return [tuple(range(count))]
    if optimize is False:
        return [(0, 1)] * (count - 1)
    how = "optimal" if optimize is True else optimize.lower()
    if how == "auto":
        how = ("optimal" if count <= 4 else "branch-all" if count <= 6 else
               "branch-2" if count <= 8 else "branch-1" if count <= 14 else "greedy")
    search = _Search(terms, result, sizes)
    if how == "optimal":
        search.all_pairs((), search.inputs, set(range(count)), 0)
    elif how in ("branch-all", "branch-2", "branch-1"):
        width = None if how == "branch-all" else int(how[-1])
        search.best_pairs(width, (), search.inputs, set(range(count)), 0, 0)
    else:
        raise OutOfScope(f"jax.numpy.einsum(optimize={how!r})",
                         "leave the option out, and give less than 15 arrays")
    return _by_place(search.path, count)


def _by_place(path: Sequence[tuple], count: int) -> list[tuple]:
    # Names of arrays, in the order of their making, as places in the list of those left.
    left, found = list(range(count)), []
    for number, pair in enumerate(path):
        places = tuple(sorted(map(left.index, pair)))
        for place in reversed(places):
            del left[place]
        left.append(count + number)
        found.append(places)
    return found


class _Search:
    """The cheapest order found so far. Arrays are numbered as they come to be."""

    def __init__(self, terms: Sequence[str], result: str, sizes: dict):
        self.inputs = tuple(map(frozenset, terms))
        self.result = frozenset(result)
        self.sizes = sizes
        self.path: tuple = (tuple(range(len(terms))),)
        self.best = (math.inf, math.inf)                # (operations, largest array)
        self.known: dict = {}                           # two sets of letters -> what they give
        self.reached: dict[int, float] = {}             # arrays made -> fewest operations

    def size(self, letters: frozenset) -> int:
        return math.prod(self.sizes[n] for n in letters)

    def pair(self, inputs: tuple, left: set, i: int, j: int) -> tuple:
        """(letters of the result, operations) of one contraction."""
        a, b = inputs[i], inputs[j]
        if (a, b) not in self.known:
            others = self.result.union(*(inputs[k] for k in left - {i, j}))
            factor = 2 if (a & b) - others else 1
            self.known[a, b] = (a | b) & others, factor * self.size(a | b)
        return self.known[a, b]

    def all_pairs(self, path: tuple, inputs: tuple, left: set, operations: int) -> None:
        """Follow every order that stays below the best one."""
        if len(left) == 1:
            self.best, self.path = (operations, 0), path
            return
        for i, j in map(sorted, itertools.combinations(left, 2)):
            letters, more = self.pair(inputs, left, i, j)
            if operations + more < self.best[0]:
                self.all_pairs((*path, (i, j)), (*inputs, letters),
                               left - {i, j} | {len(inputs)}, operations + more)

    def best_pairs(self, width: int | None, path: tuple, inputs: tuple, left: set,
                   operations: int, largest: int) -> None:
        """Follow the pairs that free the most memory first, at most `width` of them."""
        if len(left) == 1:
            self.best, self.path = (operations, largest), path
            return
        pairs = [tuple(sorted(p)) for p in itertools.combinations(left, 2)]
        touching = [(i, j) for i, j in pairs if inputs[i] & inputs[j]]
        found = self._candidates(inputs, left, touching, operations, largest) \
            or self._candidates(inputs, left, pairs, operations, largest)
        heapq.heapify(found)
        for _ in range(len(found) if width is None else min(width, len(found))):
            _, _, total, high, (i, j), letters = heapq.heappop(found)
            self.best_pairs(width, (*path, (i, j)), (*inputs, letters),
                            (left - {i, j}) | {len(inputs)}, total, high)

    def _candidates(self, inputs: tuple, left: set, pairs: list, operations: int, largest: int
                    ) -> list:
        found = []
        for i, j in pairs:
            letters, more = self.pair(inputs, left, i, j)
            size, total = self.size(letters), operations + more
            high = max(largest, size)
            if (total, high) >= self.best:
                continue
            least = self.reached.get(len(inputs), math.inf)
            if total < least:
                self.reached[len(inputs)] = total
            elif total > 4 * least:
                continue
            freed = size - self.size(inputs[i]) - self.size(inputs[j])
            found.append((freed, more, total, high, (i, j), letters))
        return found
