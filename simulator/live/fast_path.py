"""Which calls of jitted functions C++ answered, and what it kept after a miss.

The interpreter reports when a `PjitFunction` is called and when it comes back;
jaxlib prints the key it built and whether it inserted an entry; the start of the
Python path shows that C++ had no answer. `FastPath` puts the three together.
"""

from __future__ import annotations

import re
import sys
import threading
import types
import weakref

from simulator.live import signatures
from simulator.live.call_sites import ORDINARY, settled
from simulator.live.called_by_c import CalledByC
from simulator.live.jitted import behind, function_type, identity, nameless
from simulator.live.pending import Pending
from simulator.live.stream import Stream

_STATUS = re.compile(r"[A-Z_]{5,}: ")


class FastPath:
    """Reports fast_path lookups and stores, ``python`` and C++ ``execute`` work.

    Args:
      describe: texts for keys.
      tap: what C++ prints, or None: verdicts then come from entry counts, keys
        have no argument fields, and hits of calls made by C code go unseen.
    """

    def __init__(self, stream: Stream, describe, tap: signatures.Tap | None):
        self.stream, self.describe, self.tap = stream, describe, tap
        self.began = lambda frame: None               # an outermost call begins
        self.ended = lambda error: None               # it has ended, with an exception or None
        self.operators = None                         # watches for ``-x`` and the like
        self._first: weakref.ref | None = None        # first jitted function of this call
        self._type = function_type()
        self._local = threading.local()
        self._inbox = signatures.Inbox(tap)
        self._by_c = CalledByC(describe)
        stream.settlers.append(self.settle)

    def stack(self) -> list[Pending]:
        """Calls in progress on this thread, outermost first."""
        if not hasattr(self._local, "stack"):
            self._local.stack, self._local.raising = [], None
        return self._local.stack

    # -- interpreter events --------------------------------------------------

    def on_call(self, code, offset, called, first, frame=None) -> object:
        """CALL of ``sys.monitoring``: where a jitted function is seen entered."""
        # Nearly all calls are of these kinds, and there are a hundred thousand of them.
        kind = type(called)
        if kind in ORDINARY and type(first) is not self._type:
            if kind is not types.FunctionType and settled(code, called):
                return sys.monitoring.DISABLE
            if self.operators is not None:
                self.operators.called(called, first)
            return None
        target, open_ended = behind(called, self._type)
        if target is None:
            if type(first) is self._type and hasattr(first, "_fun"):
                self._by_c.next(first)         # such as map(f, xs)
            elif self.operators is not None:
                self.operators.called(called, first)
            return None
        self._read()
        self._drop_open()
        self._hit_on_top()
        frame = frame or sys._getframe(1)
        fun = getattr(target, "_fun", None)
        name = self.name(target, frame)
        stack, depth = self.stack(), self.stream.depth()
        mine = Pending(identity(fun), name, self.describe.attributes(target),
                       self.describe.jit_configs(), depth, target, open_ended, frame)
        if depth == 0 and not stack:
            self._begin(mine, frame)
            if self._first is None and fun is not None:
                self.first(target)
        stack.append(mine)
        return None

    def by_operator(self, target) -> None:
        """The interpreter is about to call `target` for an operator."""
        self._read()
        self._by_c.operator(target, self.stream.depth())

    def name(self, target, frame) -> str:
        """The name of what a PjitFunction wraps."""
        fun = getattr(target, "_fun", None)
        return self.describe.function(fun) if fun is not None else nameless(frame)

    def first(self, target) -> None:
        """`target` is the first jitted function of the observed call."""
        self._first = weakref.ref(target)

    def _begin(self, pending: Pending, frame) -> None:
        pending.outermost = True
        self.began(frame)

    def on_c_return(self, code, offset, called, first) -> None:
        """C_RETURN of ``sys.monitoring``: the jitted function that was entered has returned."""
        if type(called) in ORDINARY:
            return
        target, _ = behind(called, self._type)
        if target is not None:
            self._finish(target, raised=False)

    def on_c_raise(self, code, offset, called, first) -> None:
        """C_RAISE of ``sys.monitoring``: the jitted function that was entered has raised."""
        target, _ = behind(called, self._type)
        if target is not None:
            self._finish(target, raised=True)

    def on_raise(self, code, offset, error) -> None:
        """RAISE of ``sys.monitoring``: maybe the error with which a jitted function ended."""
        done = getattr(self._local, "raising", None)
        if done is None:
            return
        self._local.raising = None
        # C++ had found an entry and failed while running it; anything else (an
        # unhashable static, an __eq__ that raises) ended the lookup itself.
        if _STATUS.match(str(error)) or isinstance(error, FloatingPointError):
            self._close(done)
        if done.outermost:
            self.ended(error)

    def _finish(self, target, raised: bool) -> None:
        self._read()
        stack, fun = self.stack(), identity(getattr(target, "_fun", None))
        if not any(p.fun == fun and p.name is not None for p in stack):
            return
        while True:
            done = stack.pop()
            if done.fun == fun and done.name is not None:
                break
            self._close(done)
        if raised:
            self._local.raising = done                # the exception itself comes next
            return
        self._close(done)
        if done.outermost:
            self.ended(None)

    def begin(self) -> None:
        """An observed call begins."""
        self._first = None

    def first_size(self) -> int | None:
        """``_cache_size()`` of the first jitted function called, if it is still there."""
        target = self._first() if self._first is not None else None
        return target._cache_size() if target is not None else None

    # -- the Python path -------------------------------------------------------

    def enter(self, fun, name: str, attributes: list, given=None) -> None:
        """The Python path of a PjitFunction starts.

        Args:
          fun: what it wraps, or None.
          given: returns its PjitInfo, positional and keyword arguments.
        """
        self._read(1)                                # what C++ said before this frame
        self._drop_left()
        depth, stack, key = self.stream.inside(), self.stack(), identity(fun)
        top = stack[-1] if stack else None
        mine = (top is not None and not top.entered and not top.settled
                and (top.name is None or top.fun == key))
        if top is not None and top.name is None and not (top.missed or top.fell):
            mine = False
        if not mine:
            self._hit_on_top()
            top = Pending(key, name, attributes, self.describe.jit_configs(), depth,
                          open_ended=True)
            stack.append(top)
        if top.target is None and depth == 0 and len(stack) == 1 and not top.outermost:
            self._begin(top, sys._getframe(1))       # C code called it
        if top.name is None:
            top.name, top.fun, top.outer = name, key, attributes
        if self.tap is None:
            top.missed = self._grew(top)
        top.entered = top.settled = True
        if top.signature is not None:
            self._by_c.known(top.signature, name, key, attributes)
        self.stream.lookup("fast_path", name, depth, "miss" if top.missed else "fallback",
                           self._entered_key(top, name, given))
        self.stream.work("python", name, depth)

    def leave(self, name: str, depth: int, stored: bool, why: str,
              error: BaseException | None = None) -> None:
        """The Python path ended: with data for an entry, or not and why, or by an exception."""
        self._read()
        stack = self.stack()
        while stack and (not stack[-1].entered or stack[-1].left):
            self._close(stack.pop())
        if not stack:
            return
        top = stack[-1]
        top.left = True
        if not top.missed:
            self.stream.store("fast_path", name, depth, "none",
                              "its entry is there and always falls back to Python"
                              if top.signature and top.fell else
                              "an argument has no place in a key, such as a tracer")
        else:
            self.stream.store("fast_path", name, depth, "stored" if stored else "dead", why)
        if top.target is None:
            stack.pop()
            if top.outermost:
                self.ended(error)

    # -- what C++ says -----------------------------------------------------------

    def _read(self, inside: int = 0) -> None:
        """Take in what C++ has printed on this thread since the last time.

        `inside`: how many frames of the Python path began only afterwards.
        """
        if self.tap is None:
            return
        messages, stack = self._inbox.take(), self.stack()
        due = self._by_c.due()
        for word, text in messages:
            top = stack[-1] if stack else None
            fresh = top is not None and not top.entered and top.signature is None
            if word in ("signature", "unparsable") and not fresh:
                self._drop_open()
                self._hit_on_top()
                depth, configs = due or (self.stream.depth() - inside,
                                         self.describe.jit_configs_now())
                top, due = Pending(None, None, [], configs(), depth, open_ended=True), None
                if top.depth == 0 and not stack:
                    self._begin(top, sys._getframe(1))
                stack.append(top)
            if word == "signature":
                top.signature = text
            elif top is not None and word == "miss":
                top.missed = True
            elif top is not None and word in ("unparsable", "fell"):
                top.fell = True

    def settle(self) -> None:
        """Something is about to be reported: it must come after a hit it happens in."""
        self._read()
        self._hit_on_top()

    def _hit_on_top(self) -> None:
        stack = self.stack()
        top = stack[-1] if stack else None
        if top is not None and top.answered and not top.compares():
            self._hit(top)

    def _drop_open(self) -> None:
        """Calls whose end is not reported are over when another one begins."""
        stack = self.stack()
        while stack and stack[-1].open_ended and (stack[-1].left or not stack[-1].entered):
            done = stack.pop()
            self._close(done)
            if done.outermost:
                self.ended(None)

    def _drop_left(self) -> None:
        """Calls whose Python path has ended, and whose end was not reported."""
        stack = self.stack()
        while stack and stack[-1].open_ended and stack[-1].left:
            stack.pop()

    def end(self) -> None:
        """An observed call is over: nothing is pending any more."""
        self._read()
        self._drop_open()

    def _close(self, done: Pending) -> None:
        if not (done.entered or done.settled or (self.tap and done.signature is None)):
            self._hit(done)

    def _hit(self, done: Pending) -> None:
        done.settled = True
        if done.name is None:
            self._by_c.recognise(done)
        self.stream.lookup("fast_path", done.name, done.depth, "hit", self._key(done, done.name))
        self.stream.work("execute", done.name, done.depth)

    def _grew(self, pending: Pending) -> bool:
        return pending.grew()

    def _entered_key(self, top: Pending, name: str, given) -> list:
        return self._key(top, name)

    def _printed(self, done: Pending) -> list:
        return signatures.key(done.signature) if done.signature else []

    def _key(self, done: Pending, name: str) -> list:
        return [("function", self.describe.label(done.fun, name)), *done.outer,
                *self._printed(done), *done.configs]
