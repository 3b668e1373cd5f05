"""A call of a jitted function while it lasts: what is known of it so far."""

from __future__ import annotations

import sys
import weakref


class Pending:
    """A call of a PjitFunction that has not come back yet."""

    __slots__ = ("fun", "name", "outer", "configs", "depth", "target", "size", "open_ended",
                 "signature", "missed", "fell", "settled", "entered", "left", "outermost",
                 "fields", "caller")

    def __init__(self, fun, name, outer, configs, depth, target=None, open_ended=False,
                 caller=None):
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
        # Which frame calls; the number alone, as a frame would keep all its values alive.
        self.caller = None if caller is None else id(caller)

    @property
    def answered(self) -> bool:
        """Whether C++ has an answer that has not been reported yet."""
        return self.signature is not None and not (
            self.entered or self.settled or self.missed or self.fell)

    def compares(self) -> bool:
        """Whether C++ is still looking for an entry: it runs an ``__eq__`` of the program.

        What it runs after an answer is something else: it makes the result's containers.
        """
        inner, outer = None, sys._getframe(1)
        while outer is not None and id(outer) != self.caller:
            inner, outer = outer, outer.f_back
        if outer is None or inner is None or not inner.f_code.co_argcount:
            return False
        first = type(inner.f_locals.get(inner.f_code.co_varnames[0]))
        return any(getattr(getattr(first, name, None), "__code__", None) is inner.f_code
                   for name in ("__eq__", "__ne__"))

    def grew(self) -> bool:
        """Whether there are more entries now: the verdict when C++ prints nothing."""
        target = self.target() if self.target is not None else None
        return target is not None and target._cache_size() > self.size
