"""Where the calls of a program that is watched as it is begin and end.

The rule is that of `outermost`. A call is opened at once only when there is
something to tell; eager primitives that are found in every cache, like calls that
C++ answers, are counted without it.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable

from simulator.live.keeper import Keeper
from simulator.live.places import Place, Places

_now = time.perf_counter


class Outermost:
    """Opens and closes the calls of a `Keeper`: every outermost piece of work is one.

    Args:
      keeper, places: of the run.
      handed: told of places that hand a jitted function to C code, such as `map`: what
        that code then calls is not seen where C++ answers.
    """

    def __init__(self, keeper: Keeper, places: Places, handed: Callable[[Place], None]):
        self.keeper, self.places = keeper, places
        self._handed = handed
        self._local = threading.local()
        self._owner: int | None = None
        # An eager primitive in progress, not opened yet: when it began, its name once it
        # was found, and the jitted function inside it once C++ has answered.
        self._since: float | None = None
        self._found: str | None = None
        self._answered = None

    def install(self, recorder) -> None:
        """Hook into the parts of a recorder that has not started yet."""
        path = self._path = recorder.fast_path
        path.began, path.ended = self.began, self.ended
        path.keeper, path.outermost = self.keeper, self
        self._stream = recorder.stream
        self._stream.opener = self.open_now
        recorder.watch.quick = self._primitive_found

    def handed(self, frame) -> None:
        """A jitted function goes to C code in this frame."""
        self._handed(self.places(frame))

    def began(self, frame) -> None:
        """Something that can be a call begins, and is opened."""
        if self._enter():
            self.keeper.open(self.places(frame))

    def around(self, frame) -> None:
        """The same for a function of JAX; a call without a reported end is over now."""
        if not getattr(self._local, "depth", 0):
            self._path.whole()
        self.began(frame)

    def primitive(self, frame) -> None:
        """An eager primitive begins: opened only when it misses somewhere."""
        if not getattr(self._local, "depth", 0):
            self._path.whole()
        if self._enter():
            if self._path.tap is not None:
                self.keeper.open(self.places(frame))
                return
            self._since, self._found, self._answered = _now(), None, None

    def _enter(self) -> bool:
        """One step in; whether that begins a call."""
        depth = getattr(self._local, "depth", 0)
        self._local.depth = depth + 1
        if depth or self._owner is not None:
            return False
        self._owner = threading.get_ident()
        return True

    def _mine(self) -> bool:
        return self._since is not None and self._owner == threading.get_ident()

    def _primitive_found(self, name: str) -> None:
        if self._mine() and self._found is None:
            self._found = name
        else:
            self._stream.lookup("prim", name, self._stream.inside(), "hit", [])

    def inside(self, target) -> bool:
        """C++ has answered: whether that was inside an eager primitive."""
        if not self._mine():
            return False
        if self._answered is None and self._found is not None:
            self._answered = target
        else:
            self.open_now()
            self._hit(target)
        return True

    def open_now(self) -> bool:
        """Open the call of the eager primitive in progress; False when there is none."""
        if not self._mine():
            return False
        since, self._since = self._since, None
        self.keeper.open(self.places(sys._getframe(1)), since)
        if self._found is not None:
            self._stream.entered = True
            self._stream.lookup("prim", self._found, 0, "hit", [])
        if self._answered is not None:
            self._hit(self._answered)
        return True

    def _hit(self, target) -> None:
        name = str(getattr(target, "__name__", "?"))
        self._stream.lookup("fast_path", name, 1, "hit", self._path.hit_key(target, name))
        self._stream.work("execute", name, 1)

    def ended(self, error: BaseException | None) -> None:
        """It has come back."""
        self._local.depth = max(0, getattr(self._local, "depth", 0) - 1)
        if self._local.depth or self._owner != threading.get_ident():
            return
        if self._mine() and error is None and self._answered is not None:
            since, self._since, done = self._since, None, _now()
            self._owner = None
            self.keeper.primitive(self._found, self._answered, self.places(sys._getframe(2)),
                                  since, done - since)
            self._answered = None
            self._path.spent += _now() - done
            return
        self.open_now()
        self._owner = None
        self.keeper.end(error)
