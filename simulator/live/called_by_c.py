"""Jitted functions that C code calls, such as ``map(f, xs)``: which one it was.

The interpreter does not report such calls. What C++ prints tells that a jitted function
was called and with which key; the name is that of a function with an entry under this
key, preferably of the one that was last handed to C code.
"""

from __future__ import annotations

import threading

from simulator.live.pending import Pending


class CalledByC:
    """The functions that have entries, by their key, and the one whose turn it may be."""

    def __init__(self, describe) -> None:
        self.describe = describe
        self._names: dict[str, dict] = {}             # printed signature -> its functions
        self._local = threading.local()

    def next(self, target) -> None:
        """Calls of `target` by C code may follow on this thread."""
        self._local.hint = self.describe.function(target._fun), id(target._fun)

    def operator(self, target, depth: int) -> None:
        """The interpreter is about to call `target` for an operator, at this depth."""
        self.next(target)
        # What C++ prints is read too late to tell.
        self._local.due = depth, self.describe.jit_configs_now()

    def due(self) -> tuple | None:
        """(depth, configuration) of the operator that was about to be called; once."""
        due, self._local.due = getattr(self._local, "due", None), None
        return due

    def known(self, signature: str, name: str, fun: int | None, attributes: list) -> None:
        """A function went to Python with this key: it may have an entry soon."""
        self._names.setdefault(signature, {})[name, fun] = attributes

    def recognise(self, done: Pending) -> None:
        """Name a call whose function is not known."""
        known = self._names.get(done.signature, {("?", None): []})
        hint = getattr(self._local, "hint", None)
        function = hint if hint in known else list(known)[-1]
        (done.name, done.fun), done.outer = function, known[function]
