"""Which earlier key a new one is held against: the closest, and the fields that differ."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from simulator.recordings.event_data import Key


def differing(key: Key, other: Key) -> list[str]:
    """Names of the fields in which two keys differ, in the order of `key`.

    A field present in only one of them counts as different.
    """
    if [pair[0] for pair in key] == [pair[0] for pair in other]:      # nearly always
        return [mine[0] for mine, its in zip(key, other) if mine[1] != its[1]]
    ours, theirs = dict(map(tuple, key)), dict(map(tuple, other))
    names = list(ours) + [name for name in theirs if name not in ours]
    return [name for name in names if ours.get(name) != theirs.get(name)]


def _apart(key: Key, other: Key, names: list[str]) -> int:
    """In how many parts the named fields of two keys differ; parts stand between commas."""
    ours, theirs = dict(map(tuple, key)), dict(map(tuple, other))
    apart = 0
    for name in names:
        a, b = ours.get(name, "").split(", "), theirs.get(name, "").split(", ")
        apart += sum(x != y for x, y in zip(a, b)) + abs(len(a) - len(b))
    return apart


def closest_key(key: Key, earlier: Iterable[tuple[Key, str]]) -> dict | None:
    """The earlier (key, where it was made) with the fewest differing fields.

    Among equals the one wins that differs in the fewest parts of them, such as the types
    of single arguments; then the latest. Returns None when there is no earlier key, else
    the ``closest`` dictionary of a lookup event.
    """
    mine = tuple(key)
    best, parts = None, None                 # parts: in how many `best` differs, once asked
    nearest = False                          # then only an equal key is nearer
    for candidate, of in reversed([*earlier]):
        if nearest and tuple(candidate) != mine:
            continue
        differs = differing(key, candidate)
        theirs = None
        if best is not None and len(differs) > len(best[1]):
            continue
        if best is not None and len(differs) == len(best[1]):
            parts = _apart(key, *best[:2]) if parts is None else parts
            nearest = len(differs) == parts == 1
            if nearest:
                continue
            theirs = _apart(key, candidate, differs)
            if theirs >= parts:
                continue
        best, parts = (candidate, differs, of), theirs
    if best is None:
        return None
    return {"key": [list(pair) for pair in best[0]], "differs": best[1], "of": best[2]}


class SeenKeys:
    """The keys that missed so far, station by station: what a new key is held against.

    Also those whose entry is gone by now: that a function is another object than the
    one before is the news, whether or not the one before is still there. Only the
    latest `LOOKED_AT` are compared, those of the same first field before all others.
    """

    LOOKED_AT = 200

    def __init__(self, limit: int | None = None) -> None:
        self._limit = limit  # how many keys each station remembers; None: all of them
        self._all: dict[str, dict[tuple, str]] = {}
        self._by_first: dict[tuple, dict[tuple, str]] = {}

    def closest(self, station: str, key: Key) -> dict | None:
        """The closest earlier key of a station, as `closest_key` gives it."""
        for known in (self._by_first.get((station, key[0])), self._all.get(station)):
            if known:
                latest = list(itertools.islice(reversed(known.items()), self.LOOKED_AT))
                return closest_key(key, reversed(latest))
        return None

    def add(self, station: str, key: Key, of: str) -> None:
        """Remember a key that missed; `of` says where."""
        frozen = tuple(key)
        for known in (self._all.setdefault(station, {}),
                      self._by_first.setdefault((station, key[0]), {})):
            known.pop(frozen, None)  # the latest goes last
            known[frozen] = of
        everything = self._all[station]
        if self._limit is not None and len(everything) > self._limit:
            oldest = next(iter(everything))
            del everything[oldest]
            self._by_first[station, oldest[0]].pop(oldest, None)
