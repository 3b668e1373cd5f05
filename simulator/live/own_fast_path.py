"""The fast path of a program that runs long: a call that C++ answers costs next to nothing.

Of such a call only the beginning and the end are looked at; everything that
`fast_path` knows how to find out happens when Python is entered after all. Call
sites that have called nothing jitted many times are no longer reported, so that
ordinary Python code runs at its own speed.
"""

from __future__ import annotations

import dis
import functools
import itertools
import sys
import time
import types

from simulator.live.arguments import Arguments
from simulator.live.fast_path import FastPath
from simulator.live.jitted import behind
from simulator.live.pending import Pending

_TRIES = 500
_DISABLE = sys.monitoring.DISABLE
_C_CALLERS = (map, filter, functools.reduce, itertools.starmap, itertools.accumulate)
_CALL_EX = {dis.opmap["CALL_FUNCTION_EX"]}
_now = time.perf_counter


class Light:
    """A call that has begun and of which nothing else is known yet."""

    __slots__ = ("target", "size", "place", "started")

    def __init__(self, target, size, place):
        self.target, self.size = target, size
        self.place = place                # set when the interpreter will not report its end
        self.started = _now()


class OwnFastPath(FastPath):
    """Reports hits to a `Keeper`, the rest as `FastPath`.

    With a `tap` nothing is light: C++ prints every call, and every call is read.

    `spent`: seconds that went into watching calls. `other`: how many calls of anything
    else were reported.
    """

    def __init__(self, stream, describe, tap):
        from jax._src import pjit
        super().__init__(stream, describe, tap)
        self._entries = pjit._cpp_pjit_cache_explicit_attributes.size
        self._known = self._entries()             # entries of all functions when last looked at
        self._arguments = Arguments(describe)
        self.keeper = self.outermost = None       # set by `own_child` when they are made
        self.spent, self.other = 0.0, 0
        self._tries: dict[tuple, int] = {}
        self._kept: dict[str, list] = {}          # function label -> argument fields of entries

    def on_call(self, code, offset, called, first):
        """CALL of ``sys.monitoring`` in a program without marks: an outermost call opens a
        Call."""
        entered = _now()
        if type(called) is self._type:
            target, unseen_end = called, False
        else:
            target, unseen_end = behind(called, self._type)
            if target is None:
                return self._something_else(code, offset, called, first)
            unseen_end = (unseen_end and type(called) is types.MethodType
                          and code.co_code[offset] in _CALL_EX)
        self.whole()
        if self.tap is not None or self.stream.call is not None or self.stack():
            super().on_call(code, offset, called, first, sys._getframe(1))
            self.spent += _now() - entered
            return None
        light = self._local.light = Light(
            target, target._cache_size(), self.outermost.places(sys._getframe(1)) if unseen_end else None)
        self.spent += light.started - entered
        return None

    def _something_else(self, code, offset, called, first):
        site = code, offset
        self.other += 1
        count = self._tries[site] = self._tries.get(site, 0) + 1
        if type(first) is self._type and hasattr(first, "_fun"):
            self._by_c.next(first)
            if called in _C_CALLERS:
                self._known = self._entries()
                self.outermost.handed(sys._getframe(1))
        return _DISABLE if count > _TRIES else None

    def _finish(self, target, raised: bool) -> None:
        light = getattr(self._local, "light", None)
        if light is not None and light.target is target and not raised:
            done = _now()
            self._local.light = None
            if not self.outermost.inside(target):
                self.keeper.hit(target, self.outermost.places(sys._getframe(2)), light.started,
                                done - light.started)
            self.spent += _now() - done
            return
        self.materialise()
        super()._finish(target, raised)

    def whole(self) -> None:
        """A light call whose end goes unreported is over when anything else begins."""
        light = getattr(self._local, "light", None)
        if light is None:
            return
        if light.place is not None:
            self._local.light = None
            self.keeper.hit(light.target, light.place, light.started, None)
        else:
            self.materialise()

    def materialise(self) -> None:
        """The light call of this thread needs the whole treatment."""
        light = getattr(self._local, "light", None)
        if light is None:
            return
        self._local.light = None
        target = light.target
        fun = getattr(target, "_fun", None)
        frame = sys._getframe(1)
        depth = 1 if self.outermost.open_now() else 0
        pending = Pending(None if fun is None else id(fun), self.name(target, frame),
                          self.describe.attributes(target), self.describe.jit_configs(), depth,
                          target, light.place is not None)
        pending.size = light.size
        if depth == 0:
            self._begin(pending, frame)
        if self._first is None and fun is not None:
            self.first(target)
        self.stack().append(pending)

    def enter(self, fun, name, attributes, given=None) -> None:
        self.materialise()
        began = _now()
        super().enter(fun, name, attributes, given)
        self.spent += _now() - began

    def _entered_key(self, top, name, given) -> list:
        """The key of a call that went to Python: what C++ printed, or the same from Python."""
        if top.signature is None and given is not None and top.missed:
            top.fields = self._arguments.key(*given())
        return self._key(top, name)

    def _printed(self, done) -> list:
        return super()._printed(done) or done.fields

    def leave(self, name, depth, stored, why, error=None) -> None:
        stack = self.stack()
        top = next((p for p in reversed(stack) if p.entered and not p.left), None)
        if stored and top is not None and top.missed and top.fields:
            label = self.describe.label(top.fun, name)
            self._kept.setdefault(label, []).append(top.fields)
            if len(self._kept) > _TRIES:
                del self._kept[next(iter(self._kept))]
        self._known = self._entries()
        super().leave(name, depth, stored, why, error)

    def _grew(self, pending) -> bool:
        # A call made by C code has no jit object to ask: the count of all entries tells.
        return pending.grew() if pending.target is not None else self._entries() > self._known

    def hit_key(self, target, name: str) -> list:
        """The key of a hit; with argument fields when the function has a single entry."""
        fun = getattr(target, "_fun", None)
        label = self.describe.label(None if fun is None else id(fun), name)
        entries = self._kept.get(label, ())
        fields = entries[0] if len(entries) == 1 and target._cache_size() == 1 else []
        return [("function", label), *self.describe.attributes(target), *fields,
                *self.describe.jit_configs()]
