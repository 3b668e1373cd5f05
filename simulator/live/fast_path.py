"""Which calls of jitted functions C++ answered, and what it kept after a miss.

The interpreter reports when a `PjitFunction` is called and when it comes back;
jaxlib prints the key it built and whether it inserted an entry; the start of the
Python path shows that C++ had no answer. `FastPath` puts the three together.
"""

from __future__ import annotations

import functools
import re
import sys
import threading
import types
import weakref

from simulator.live import signatures
from simulator.live.call_sites import ORDINARY, settled
from simulator.live.stream import Stream, plain

_STATUS = re.compile(r"[A-Z_]{5,}: ")


class Pending:
    """A call of a PjitFunction that has not come back yet."""

    __slots__ = ("fun", "name", "outer", "configs", "depth", "target", "size", "open_ended",
                 "signature", "missed", "fell", "settled", "entered", "left", "outermost",
                 "fields")

    def __init__(self, fun, name, outer, configs, depth, target=None, open_ended=False):
        self.fun = fun                  # id of the wrapped function; None: it has none
        self.name = name                # None: a call made by C, not yet recognised
        self.outer = outer              # the outer key: attributes of the jit object
        self.configs = configs          # the configuration when it began
        self.depth = depth
        self.target = weakref.ref(target) if target is not None else None
        self.size = target._cache_size() if target is not None else None
        self.open_ended = open_ended    # the interpreter may not report its end
        self.signature = None           # what C++ printed
        self.missed = False             # C++ said that it inserted an entry
        self.fell = False               # C++ said that it goes to Python, entry or not
        self.settled = False            # its lookup has been reported
        self.entered = False            # the Python path has started
        self.left = False               # and ended
        self.outermost = False          # `FastPath.began` was told of it
        self.fields = []                # argument fields of its key, where C++ prints none

    def grew(self) -> bool:
        """Whether there are more entries now: the verdict when C++ prints nothing."""
        target = self.target() if self.target is not None else None
        return target is not None and target._cache_size() > self.size


class FastPath:
    """Reports fast_path lookups and stores, ``python`` and C++ ``execute`` work.

    Args:
      describe: texts for keys.
      tap: what C++ prints, or None: verdicts then come from entry counts, keys
        have no argument fields, and hits of calls made by C code go unseen.
    """

    def __init__(self, stream: Stream, describe, tap: signatures.Tap | None):
        import jax
        self.stream, self.describe, self.tap = stream, describe, tap
        self.began = lambda frame: None               # an outermost call begins
        self.ended = lambda error: None               # it has ended, with an exception or None
        self.operators = None                         # watches for ``-x`` and the like
        self._first: weakref.ref | None = None        # first jitted function of this call
        self._type = type(jax.jit(_nothing))
        self._local = threading.local()
        self._inbox: dict[int, list] = {}
        self._lock = threading.Lock()
        self._names: dict[str, dict] = {}             # printed signature -> its functions
        stream.settlers.append(self.settle)

    def stack(self) -> list[Pending]:
        """Calls in progress on this thread, outermost first."""
        if not hasattr(self._local, "stack"):
            self._local.stack, self._local.raising = [], None
        return self._local.stack

    # -- interpreter events --------------------------------------------------

    def _target(self, called):
        """(PjitFunction behind a callable or None, whether its end may go unreported)."""
        partial = isinstance(called, functools.partial)
        while isinstance(called, functools.partial):
            called = called.func
        if type(called) is self._type:
            return called, partial
        if type(called) is types.MethodType and type(called.__func__) is self._type:
            return called.__func__, True
        # An instance whose class has a jitted __call__: the interpreter calls the instance.
        through_class = getattr(type(called), "__call__", None)  # noqa: B004  (which one is the point)
        if type(through_class) is self._type:
            return through_class, False
        return None, False

    def on_call(self, code, offset, called, first, frame=None) -> object:
        """CALL of ``sys.monitoring``: before a call, the place to see a jitted function
        entered."""
        # Nearly all calls are of these kinds, and there are a hundred thousand of them.
        kind = type(called)
        if kind in ORDINARY and type(first) is not self._type:
            if kind is not types.FunctionType and settled(code, called):
                return sys.monitoring.DISABLE
            if self.operators is not None:
                self.operators.called(called, first)
            return None
        target, open_ended = self._target(called)
        if target is None:
            if type(first) is self._type and hasattr(first, "_fun"):
                self._next(first)              # such as map(f, xs)
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
        mine = Pending(_id(fun), name, self.describe.attributes(target),
                       self.describe.jit_configs(), depth, target, open_ended)
        if depth == 0 and not stack:
            self._begin(mine, frame)
            if self._first is None and fun is not None:
                self.first(target)
        stack.append(mine)
        return None

    def _next(self, target) -> None:
        """Calls of `target` by C code may follow, which the interpreter does not report."""
        self._local.hint = self.describe.function(target._fun), id(target._fun)

    def by_operator(self, target) -> None:
        """The interpreter is about to call `target` for an operator."""
        self._read()
        self._next(target)
        # What C++ prints is read too late to tell.
        self._local.due = self.stream.depth(), self.describe.jit_configs_now()

    def name(self, target, frame) -> str:
        """The name of what a PjitFunction wraps."""
        fun = getattr(target, "_fun", None)
        return self.describe.function(fun) if fun is not None else _nameless(frame)

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
        target, _ = self._target(called)
        if target is not None:
            self._finish(target, raised=False)

    def on_c_raise(self, code, offset, called, first) -> None:
        """C_RAISE of ``sys.monitoring``: the jitted function that was entered has raised."""
        target, _ = self._target(called)
        if target is not None:
            self._finish(target, raised=True)

    def on_raise(self, code, offset, error) -> None:
        """RAISE of ``sys.monitoring``: the error with which a jitted function ended, when
        one did."""
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
        stack, fun = self.stack(), _id(getattr(target, "_fun", None))
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
        depth, stack, key = self.stream.inside(), self.stack(), _id(fun)
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
            self._names.setdefault(top.signature, {})[name, key] = attributes
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
        mine = threading.get_native_id()
        with self._lock:
            for thread, word, text in self.tap.read():
                self._inbox.setdefault(thread, []).append((word, text))
            messages = self._inbox.pop(mine, ())
        stack = self.stack()
        due, self._local.due = getattr(self._local, "due", None), None
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
        if top is not None and top.signature is not None and not (
                top.entered or top.settled or top.missed or top.fell):
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
            self._recognise(done)
        name = done.name
        self.stream.lookup("fast_path", name, done.depth, "hit", self._key(done, name))
        self.stream.work("execute", name, done.depth)

    def _recognise(self, done: Pending) -> None:
        """Name a call made by C code: a function that made an entry under this key.

        Where several did, it is the one last handed to C code, else the latest.
        """
        known = self._names.get(done.signature, {("?", None): []})
        hint = getattr(self._local, "hint", None)
        function = hint if hint in known else list(known)[-1]
        (done.name, done.fun), done.outer = function, known[function]

    def _grew(self, pending: Pending) -> bool:
        return pending.grew()

    def _entered_key(self, top: Pending, name: str, given) -> list:
        return self._key(top, name)

    def _printed(self, done: Pending) -> list:
        return signatures.key(done.signature) if done.signature else []

    def _key(self, done: Pending, name: str) -> list:
        return [("function", self.describe.label(done.fun, name)), *done.outer,
                *self._printed(done), *done.configs]


def _id(thing) -> int | None:
    return None if thing is None else id(thing)


def _nameless(frame) -> str:
    """Name of a PjitFunction that wraps no function, from the frame that calls it."""
    values = frame.f_locals
    if "jaxpr" in values and "name" in values:              # pjit.py: _pjit_call_impl
        return str(values["name"])
    executable = getattr(values.get("self"), "_executable", None)
    return plain(str(getattr(getattr(executable, "unsafe_call", None), "name", "?")))


def _nothing():
    return None
