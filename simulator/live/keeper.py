"""Which calls of a long run are kept, and how the rest are counted.

Kept with all their events: the first calls of the run, every call that missed
somewhere or left a log line, the first call of each place with each outcome, and
the last one. All others are counted on the kept call that they are like. What is
kept is written to a file at once, so that memory does not grow with the run.
"""

from __future__ import annotations

import json
import os
import threading
import time

from simulator.live.places import Place
from simulator.live.spool import Spool
from simulator.recordings import event_data
from simulator.recordings.recording import Call, call_data

ALL = 1000
"""So many calls at the beginning are kept whatever they did."""

LARGEST = 200_000_000
"""Bytes of kept calls after which calls are only counted, also those that missed."""

_HEAVY = ("trace", "lower", "compile", "load")
_HIT = (("lookup", "fast_path", 0, "hit"), ("work", "execute", 0, None))
_now = time.perf_counter


class Kept:
    """A kept call, and how many like it came since."""

    __slots__ = ("index", "data", "again", "seconds", "last")

    def __init__(self, index: int, data: dict | None):
        self.index, self.data = index, data
        self.again, self.seconds = 0, 0.0
        self.last = (0, 0.0, None)            # number, start, seconds of the latest like it


class Keeper:
    """The session of a program that is watched as it is: opens and closes calls.

    Args:
      spool: path of the file to write to: one JSON line per kept call, ``{"call": …}``.
      recorder: the `Recorder`; started: `time.perf_counter` when the program began.
    """

    def __init__(self, spool: str, recorder, started: float):
        self.recorder, self.started = recorder, started
        self.number = self.written = 0
        self.seconds = 0.0
        self.full, self.lost = False, 0       # lost: number of the first call not written down
        self._spool, self._process = Spool(spool), os.getpid()
        self._like: dict[tuple, Kept] = {}
        self._place: Place | None = None
        self._began = 0.0
        self._lock = threading.Lock()

    def open(self, place: Place, began: float | None = None) -> None:
        """A call begins at a place."""
        recorder = self.recorder
        call = Call(label=place.label, line=place.line)
        recorder.watch.bodies = {}
        recorder.fast_path.begin()
        recorder.stream.entered = False
        recorder.stream.call = call
        recorder.watch.check_sizes()
        self._place, self._began = place, began or _now()

    def end(self, error: BaseException | None) -> None:
        """The open call has ended, with an exception or None."""
        recorder, call = self.recorder, self.recorder.stream.call
        seconds = _now() - self._began
        recorder.fast_path.end()
        recorder.stream.call = None
        recorder.watch.remember_sizes()
        call.caches = event_data.count(call.events)
        if error is not None:
            call.exception = recorder.normal.exception(error)
        call.fast_path = (not recorder.stream.entered and error is None
                          and not any(sum(pair) for pair in call.caches.values()))
        call.cache_size = recorder.fast_path.first_size()
        story = tuple(_step(event) for event in call.events if event["kind"] != "log")
        name = next((e["fun"] for e in call.events if e.get("fun")), "")
        missed = bool(call.log or error) or any(_missed(event) for event in call.events)
        self._take(self._place, name, story, missed, call, self._began, seconds)

    def hit(self, target, place: Place, began: float, seconds: float | None) -> None:
        """A call that C++ answered, and of which nothing was recorded yet."""
        name = getattr(target, "__name__", "?")
        if not self._counted(place, name, _HIT, began, seconds):
            call = Call(label=place.label, line=place.line, fast_path=True)
            call.events = self._answered(target, str(name), 0)
            call.cache_size = target._cache_size()
            self._take(place, name, _HIT, False, call, began, seconds)

    def primitive(self, name: str, target, place: Place, began: float, seconds: float) -> None:
        """An eager primitive that was found, and whose jitted function C++ answered."""
        story = (("lookup", "prim", 0, "hit"), ("lookup", "fast_path", 1, "hit", name),
                 ("work", "execute", 1, None, name))
        if not self._counted(place, name, story, began, seconds):
            call = Call(label=place.label, line=place.line)
            call.events = [event_data.lookup("prim", name, 0, "hit"),
                           *self._answered(target, name, 1)]
            call.caches = event_data.count(call.events)
            self._take(place, name, story, False, call, began, seconds)

    def _answered(self, target, name: str, depth: int) -> list[dict]:
        key = self.recorder.fast_path.hit_key(target, name)
        return [event_data.lookup("fast_path", name, depth, "hit", key),
                event_data.work("execute", name, depth)]

    def _counted(self, place, name, story, began, seconds) -> bool:
        """Count a call on the one that it is like; False when it is to be kept."""
        kept = self._like.get((place, name, story))
        if kept is None or self.number < ALL:
            return False
        self.number += 1
        kept.again += 1
        if seconds is not None:
            kept.seconds += seconds
            self.seconds += seconds
        kept.last = (self.number, began, seconds)
        return True

    def _take(self, place, name, story, missed, call, began, seconds) -> None:
        """Keep a call, or count it."""
        like = place, name, story
        with self._lock:
            self.number += 1
            self.seconds += seconds or 0.0
            kept = self._like.get(like)
            if kept is not None and self.number > ALL and (self.full or not missed):
                kept.again += 1
                kept.seconds += seconds or 0.0
                kept.last = (self.number, began, seconds)
                return
            if kept is not None:
                self._close(kept)
            data = call_data(call)
            if place.where is not None:
                data["where"] = place.where
            self._like[like] = Kept(self.written, None if missed else data)
            self._write(data, self.number, began, seconds)

    def _write(self, data: dict, number: int, began: float, seconds: float | None) -> None:
        data = data | {"number": number, "at": round(began - self.started, 6)}
        if seconds is not None:
            data["seconds"] = round(seconds, 7)
        self._line({"call": data})
        self.written += 1

    def _line(self, data: dict) -> None:
        if os.getpid() != self._process:      # a fork of the program: not ours to tell
            return
        self._spool.write(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n")
        self.full = self._spool.size > LARGEST
        if self._spool.failed and not self.lost:
            self.lost = self.number

    def _close(self, kept: Kept) -> None:
        if kept.again:
            self._line({"again": [kept.index, kept.again, round(kept.seconds, 6)]})

    def finish(self, limits: list[str], **about) -> None:
        """The program is over: write the last calls and what is known of the run.

        `limits`: what the recording does not tell, in words."""
        for kept in self._like.values():
            if kept.again and kept.data is not None:
                number, began, seconds = kept.last
                kept.again -= 1
                kept.seconds -= seconds or 0.0
                self._write({**kept.data, "seconds": None}, number, began, seconds)
            self._close(kept)
        if self.lost:
            limits = [*limits, f"calls from number {self.lost} on are counted, but could not be "
                      f"written down: {self._spool.failed}"]
            self._spool.failed = ""           # there may be place again for the last line
        self._line({"end": about | {"limits": limits}})
        self._spool.close()


def _step(event: dict) -> tuple:
    what = event.get("work") or event["station"]
    if event["kind"] == "evict":
        return "evict", what
    step = event["kind"], what, event["depth"], event.get("outcome")
    return step if event["depth"] == 0 else (*step, event["fun"])


def _missed(event: dict) -> bool:
    return (event["kind"] == "lookup" and event["outcome"] == "miss"
            or event["kind"] == "work" and event["work"] in _HEAVY)
