"""The Python caches, watched from a stand-in at their place in the module.

A stand-in passes every call on and reports one lookup. Whether it was a hit is
what the cache itself counts: the function under the cache starts on a miss
(`body_started`), and `cache_info` tells a miss from the hit on an entry whose
computation had failed, which runs the function again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from simulator.live.stream import Stream
from simulator.recordings import event_data

_WHY = "cleared, collected or pushed out"


class Standin:
    """Takes the place of a cached function `cache`; everything else is passed on.

    Args:
      describe: (args, kwargs) -> (fun, key) as text; runs before the lookup.
      name: (args, kwargs) -> fun, to have keys of misses only; `describe` then runs
        when a lookup has turned out to be one.
    """

    def __init__(self, watch: Watch, station: str, cache, describe: Callable,
                 name: Callable | None = None):
        self._watch, self._station, self._cache = watch, station, cache
        self._describe, self._name = describe, name

    def __call__(self, *args, **kwargs):
        cache, watch = self._cache, self._watch
        if watch.quick is not None and watch.stream.call is None and self._station == "prim":
            return self._quickly(args, kwargs)
        watch.check_size(self._station)
        if self._name is None:
            fun, key = self._describe(*args, **kwargs)
        else:
            fun, key = self._name(*args, **kwargs), lambda: self._describe(*args, **kwargs)[1]
        question = Question(self._station, fun, key, cache, watch.stream.inside())
        stack = watch.stack()
        stack.append(question)
        try:
            result = cache(*args, **kwargs)
            if not question.answered:
                watch.answer(question, grew=False)
            return result
        except RecursionError:
            # A computation that asks for itself is refused after it was counted.
            if not question.answered and cache.cache_info().hits > question.hits:
                watch.answer(question, grew=False)
            raise
        finally:
            stack.remove(question)
            watch.sizes[self._station] = cache.cache_info().currsize

    def _quickly(self, args, kwargs):
        """One lookup of a call that nobody has looked at yet: only a miss makes it worth it."""
        watch = self._watch
        watch.asked = lambda: self._missed(args, kwargs)
        try:
            result = self._cache(*args, **kwargs)
        finally:
            missed, watch.asked = watch.asked is None, None
        if not missed:
            watch.quick(args[0].name)
        return result

    def _missed(self, args, kwargs) -> None:
        watch = self._watch
        watch.asked = None
        fun, key = self._describe(*args, **kwargs)
        watch.stream.lookup(self._station, fun, watch.stream.inside(), "miss", key)

    def __getattr__(self, name):
        return getattr(self._cache, name)


class Question:
    """A lookup in progress."""

    __slots__ = ("station", "fun", "key", "cache", "depth", "hits", "misses", "answered")

    def __init__(self, station, fun, key, cache, depth):
        self.station, self.fun, self.key, self.cache = station, fun, key, cache
        self.depth = depth
        counters = cache.cache_info()
        self.hits, self.misses = counters.hits, counters.misses
        self.answered = False


class Watch:
    """All stand-ins of a process, and the sizes of all caches."""

    def __init__(self, stream: Stream):
        self.stream = stream
        self.sizes: dict[str, int] = {}
        self.probes: dict[str, Callable[[], int]] = {}
        self.bodies: dict[str, int] = {}
        self.quick: Callable | None = None        # takes the name of a primitive that was found
        self._local = threading.local()
        stream.settlers.append(self.settle)

    @property
    def asked(self) -> Callable | None:
        """What to do when the primitive's lookup in progress on this thread misses."""
        return getattr(self._local, "asked", None)

    @asked.setter
    def asked(self, missed: Callable | None) -> None:
        self._local.asked = missed

    def stack(self) -> list[Question]:
        """Lookups in progress on this thread, outermost first."""
        if not hasattr(self._local, "stack"):
            self._local.stack = []
        return self._local.stack

    def compiling(self) -> str:
        """Plain name of the module that this thread is compiling, ``?`` when none."""
        return next((q.fun for q in reversed(self.stack()) if q.station == "compile"), "?")

    def install(self, module, variable: str, station: str, describe: Callable,
                name: Callable | None = None) -> None:
        """Put a stand-in in the place of ``module.variable``."""
        cache = getattr(module, variable)
        self.probe(station, lambda: cache.cache_info().currsize)
        setattr(module, variable, Standin(self, station, cache, describe, name))

    def probe(self, station: str, size: Callable[[], int]) -> None:
        """Follow the size of a cache, to notice when entries disappear."""
        self.probes[station] = size
        self.sizes[station] = size()

    def body_started(self, station: str) -> None:
        """The function under a cache starts: a miss, or a poisoned hit."""
        self.bodies[station] = self.bodies.get(station, 0) + 1
        if station == "prim" and self.asked is not None:
            self.asked()
            return
        for question in reversed(self.stack()):
            if question.station == station:
                if not question.answered:
                    self.answer(question, question.cache.cache_info().misses > question.misses)
                return

    def settle(self) -> None:
        """Something is about to be reported: decide the lookup in progress if it missed."""
        stack = self.stack()
        if stack and not stack[-1].answered:
            question = stack[-1]
            if question.cache.cache_info().misses > question.misses:
                self.answer(question, grew=True)

    def answer(self, question: Question, grew: bool) -> None:
        """Write down a lookup: a miss if the cache grew. Keys that cost something are only
        made on a miss."""
        question.answered = True
        key = question.key
        if callable(key):
            key = key() if grew else []
        self.stream.lookup(question.station, question.fun, question.depth,
                           "miss" if grew else "hit", key)

    def check_size(self, station: str) -> None:
        """Report entries of a station that are gone since it was last looked at."""
        size = self.probes[station]()
        gone = self.sizes[station] - size
        self.sizes[station] = size
        if gone > 0:
            self.stream.emit(event_data.evict(station, gone, _WHY))

    def check_sizes(self) -> None:
        """Write down the evictions that the sizes of all caches tell of."""
        for station in self.probes:
            self.check_size(station)

    def remember_sizes(self) -> None:
        """Take the present sizes as known, without reporting."""
        for station, size in self.probes.items():
            self.sizes[station] = size()
