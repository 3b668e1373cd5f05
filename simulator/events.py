"""Collects what the caches do, as the events of a Recording.

Every station reports here. A lookup's key is turned into text only when keys
are wanted, so that plain counting stays cheap.
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable
from typing import Any

from simulator.recordings import event_data
from simulator.recordings.closest import SeenKeys
from simulator.running import source
from simulator.running.summary import hide


class Identities:
    """Short labels for objects that are compared by identity: ``f #1``, ``f #2``, …"""

    def __init__(self) -> None:
        self._by_id: dict[int, tuple[Any, str]] = {}
        self._counts: dict[str, int] = {}

    def label(self, obj: Any, name: str) -> str:
        """The label of `obj`: the one it had, or `name` with the next number. A dead
        object's id may come again; its label does not."""
        known = self._by_id.get(id(obj))
        if known is not None and known[0]() is obj:
            return known[1]
        number = self._counts[name] = self._counts.get(name, 0) + 1
        text = f"{name} #{number}"
        try:
            ref: Any = weakref.ref(obj)
        except TypeError:
            # Not weakly referenceable: remember the object itself.
            def ref(kept: Any = obj) -> Any:
                return kept
        self._by_id[id(obj)] = (ref, text)
        return text


class Steady:
    """Key texts that come out the same in every run: an object's address is
    replaced by its number in order of appearance, the model's own folder left out.

    Simplified: an address that is used again after its object died keeps its number.
    """

    _ADDRESS = r"0x[0-9a-f]{5,}"

    def __init__(self) -> None:
        self._seen: dict[str, str] = {}

    def __call__(self, fields: list) -> list:
        """The fields of a key, ``[(name, text), …]``, with steady texts."""
        return [(name, self._text(name, text)) for name, text in fields]

    def _text(self, name: str, text: str) -> str:
        if "0x" in text:
            text = re.sub(self._ADDRESS, self._numbered, text)
        return text.replace(source.MODEL, "<site>/simulator/") if source.MODEL in text else text

    def _numbered(self, match: re.Match) -> str:
        return self._seen.setdefault(match[0], f"#{len(self._seen) + 1}")


class Recorder:
    """Gathers the events of the call that is being observed.

    Args:
      keys: whether lookups carry their key as text and the closest earlier key.

    `thread`: what the process that reports keeps per thread; it sets it.
    """

    thread: Any

    def __init__(self, keys: bool = False):
        self.keys = keys
        self.active = False
        self.events: list[dict] = []
        self.log: list[str] = []
        self.persistent: list[str] = []
        self.label = "before the first call"
        self.identities = Identities()
        self._steady = Steady()
        self._seen = SeenKeys()
        self.bodies: dict[str, int] = {}
        self._outermost: Any = None

    def begin(self, label: str) -> None:
        """Start a call: everything until `end` belongs to it."""
        self.active = True
        self.label = label
        self.events, self.log, self.persistent = [], [], []
        self.bodies = {}
        self._outermost = None

    def end(self) -> None:
        """The call is over; what follows is not recorded."""
        self.active = False

    def _depth(self, in_cpp: bool) -> int:
        # Python paths that are open around an event. What a Python path itself asks
        # does not count its own; C++ has no Python path to count.
        frames = self.thread.depth
        return frames if in_cpp or not frames else frames - 1

    def lookup(self, station: str, fun: str, outcome: str, fields: Callable[..., list],
               *about: Any) -> None:
        """Report a lookup.

        Args:
          station, fun, outcome: as in the Recording.
          fields: called with `about`, gives the key as ``[(name, text), …]``.
        """
        key: Any = ()
        closest = None
        if self.keys and (self.active or outcome != "hit"):
            key = self._steady(fields(*about))
            if outcome == "miss" and key:
                closest = self._seen.closest(station, key) if self.active else None
                self._seen.add(station, key, self.label)
        if self.active:
            self.events.append(event_data.lookup(
                station, fun, self._depth(station == "fast_path"), outcome, key, closest))

    def body(self, station: str) -> None:
        """Report that the computation behind a cache runs: what counts as its miss."""
        if self.active:
            self.bodies[station] = self.bodies.get(station, 0) + 1

    def called(self, function: Any) -> None:
        """Remember the first jitted function that the call itself calls."""
        if self.active and self._outermost is None and not self.thread.depth:
            self._outermost = weakref.ref(function)

    def cache_size(self) -> int | None:
        """What ``_cache_size()`` of that function says now; None when it is gone."""
        function = self._outermost() if self._outermost is not None else None
        return None if function is None else function._cache_size()

    def work(self, what: str, fun: str, in_cpp: bool = False) -> None:
        """Report work that starts now; `in_cpp` when no Python path was entered for it."""
        if self.active:
            self.events.append(event_data.work(what, fun, self._depth(in_cpp)))

    def store(self, station: str, fun: str, outcome: str, why: str = "") -> None:
        """Report what was kept after a miss."""
        if self.active:
            self.events.append(event_data.store(
                station, fun, self._depth(station == "fast_path"), outcome, why))

    def evict(self, station: str, count: int, why: str) -> None:
        """Report entries that are gone."""
        if self.active:
            self.events.append(event_data.evict(station, count, why))

    def message(self, text: str) -> None:
        """Report a log line (``"WARNING:jax._src.dispatch: …"``)."""
        if self.active:
            text = hide(text)
            self.log.append(text)
            self.events.append(event_data.log(text))

    def persistent_event(self, name: str) -> None:
        """Report a ``/jax/compilation_cache/…`` monitoring event."""
        if self.active:
            self.persistent.append(name)

