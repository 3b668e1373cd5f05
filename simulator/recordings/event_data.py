"""The events of a Recording: what they are called, and the fields of each kind.

An event is a dictionary with a ``kind``. Both producers make theirs with these
functions, and agree where `signature` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

STATIONS = ("fast_path", "params", "trace", "lower", "hlo", "memo", "compile", "disk", "prim")
CACHES = ("params", "trace", "lower", "hlo", "compile", "prim")
"""The Python caches that have counters, in the order in which records name them."""
OUTCOMES = {"lookup": ("hit", "miss", "fallback"),
            "store": ("stored", "dead", "none", "written", "skipped"),
            "evict": ("evicted",)}
WORKS = ("python", "trace", "lower", "compile", "load", "execute")
KINDS = ("lookup", "work", "store", "evict", "log")

Key = Sequence[tuple[str, str]]
"""A cache key for people: ordered (field name, short text) pairs."""


def lookup(station: str, fun: str, depth: int, outcome: str, key: Key = (),
           closest: dict | None = None) -> dict:
    """One question to one cache. `closest` is what `closest_key` returns, on a miss."""
    return {"kind": "lookup", "station": station, "fun": fun, "depth": depth,
            "outcome": outcome, "key": [list(pair) for pair in key], "closest": closest}


def work(what: str, fun: str, depth: int) -> dict:
    """Work that starts: `what` is one of `WORKS`."""
    return {"kind": "work", "work": what, "fun": fun, "depth": depth}


def store(station: str, fun: str, depth: int, outcome: str, why: str = "") -> dict:
    """What was kept after a miss: fast_path stored/dead/none, disk written/skipped."""
    return {"kind": "store", "station": station, "fun": fun, "depth": depth,
            "outcome": outcome, "why": why}


def evict(station: str, count: int, why: str = "") -> dict:
    """`count` entries of a station are gone (cleared, collected, pushed out)."""
    return {"kind": "evict", "station": station, "fun": "", "depth": 0,
            "outcome": "evicted", "count": count, "why": why}


def log(text: str) -> dict:
    """A line that JAX would log at WARNING or above, normalised."""
    return {"kind": "log", "text": text}


def signature(event: dict) -> tuple:
    """The part of an event on which both producers must agree."""
    kind = event["kind"]
    if kind == "log":
        return kind, event["text"]
    if kind == "evict":
        return kind, event["station"]
    what = event["work"] if kind == "work" else event["station"]
    return kind, what, event["fun"], event["depth"], event.get("outcome")


def no_counts() -> dict[str, list[int]]:
    """[hits, misses] of every counted cache, all zero."""
    return {name: [0, 0] for name in CACHES}


def count(events: Iterable[dict]) -> dict[str, list[int]]:
    """[hits, misses] of every counted cache, from lookup events."""
    counts = no_counts()
    for event in events:
        if event["kind"] == "lookup" and event["station"] in counts:
            counts[event["station"]][event["outcome"] != "hit"] += 1
    return counts
