"""The event stream of one process while a program runs.

Everything that watches JAX reports here. Nothing in here keeps an object of the
program alive: keys are kept as text, identities as weak references.
"""

from __future__ import annotations

import contextlib
import re
import sys
import threading
import weakref
from typing import Any

from simulator.recordings import event_data
from simulator.recordings.closest import SeenKeys
from simulator.recordings.recording import Call

_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")


class Labels:
    """Stable short names for objects that JAX tells apart by identity."""

    def __init__(self):
        self._names: dict[int, str] = {}
        self._guards: dict[int, weakref.ref] = {}
        self._kept: list = []
        self._counts: dict[str, int] = {}

    def __call__(self, thing: Any, kind: str, keep: bool = False) -> str:
        """``kind #n``; the same object keeps its name while it lives.

        An object that cannot be referenced weakly would pass its name on to a later one
        at its address. `keep` lets it live; only for what keeps nothing of the program alive.
        """
        key = id(thing)
        if key not in self._names:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            self._names[key] = f"{kind} #{self._counts[kind]}"
            if keep:
                self._kept.append(thing)
            else:
                with contextlib.suppress(TypeError):
                    self._guards[key] = weakref.ref(thing, lambda _: self._forget(key))
        return self._names[key]

    def _forget(self, key: int) -> None:
        self._names.pop(key, None)
        self._guards.pop(key, None)


class Stream:
    """Collects events into the current call.

    `path_codes`: code objects of JAX's Python path; their frames make up `depth`.
    `limit`: how many earlier keys each station remembers; None: all of them.
    """

    def __init__(self, path_codes: set, limit: int | None = None):
        self.path_codes = path_codes
        self._path = frozenset(map(id, path_codes))   # to hash code, Python looks at all of it
        self.labels = Labels()
        self._call: Call | None = None
        self.entered = False
        self.early: list[dict] | None = None     # events before a call opens, if wanted
        self.opener = None                        # opens the call that an event belongs to
        self.settlers: list = []                  # run before an event is written
        self._seen = SeenKeys(limit)
        self._label = "before the first call"     # of the latest call
        self._numbers: dict[str, int] = {}
        self._busy = threading.local()

    @property
    def call(self) -> Call | None:
        """The call that is being observed, or None between two."""
        return self._call

    @call.setter
    def call(self, call: Call | None) -> None:
        self._call = call
        if call is not None:
            self._label = call.label

    def depth(self) -> int:
        """Frames of JAX's Python path on this thread's stack."""
        frame, found = sys._getframe(1), 0
        while frame is not None:
            found += id(frame.f_code) in self._path
            frame = frame.f_back
        return found

    def inside(self) -> int:
        """Depth of an event that belongs to the innermost Python-path frame."""
        return max(0, self.depth() - 1)

    def emit(self, event: dict) -> None:
        """Write an event, after undecided lookups that must come before it."""
        if not getattr(self._busy, "on", False):
            self._busy.on = True
            try:
                for settle in self.settlers:
                    settle()
            finally:
                self._busy.on = False
        if self.call is None and self.opener is not None:
            self.opener()
        target = self.call.events if self.call is not None else self.early
        if target is not None:
            target.append(event)

    def lookup(self, station: str, fun: str, depth: int, outcome: str, key) -> None:
        """Write a lookup; a miss is held against the earlier keys of its station."""
        key = [(name, self._addresses(text)) for name, text in key]
        missed = outcome == "miss" and bool(key)
        closest = self._seen.closest(station, key) if missed else None
        self.emit(event_data.lookup(station, fun, depth, outcome, key, closest))
        if missed:
            self._seen.add(station, key, self._label)

    def _addresses(self, text: str) -> str:
        """Memory addresses in printed objects become small numbers, in order of appearance."""
        def number(match: re.Match) -> str:
            return f"#{self._numbers.setdefault(match[0], len(self._numbers) + 1)}"
        return _ADDRESS.sub(number, text) if "0x" in text else text

    def work(self, what: str, fun: str, depth: int) -> None:
        """Write down work that was done: trace, lower, compile, load, execute or python."""
        self.emit(event_data.work(what, fun, depth))

    def store(self, station: str, fun: str, depth: int, outcome: str, why: str = "") -> None:
        """Write down that something was stored, or why not."""
        self.emit(event_data.store(station, fun, depth, outcome, why))


def plain(name: str) -> str:
    """``jit(f)`` or ``jit_f`` -> ``f``: the name without its wrapper."""
    if name.startswith("jit(") and name.endswith(")"):
        return name[4:-1]
    return name.removeprefix("jit_")
