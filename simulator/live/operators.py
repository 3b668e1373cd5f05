"""Jitted functions that the interpreter calls by itself: ``-x``, ``~x``, ``+x``, ``abs(x)``.

The operators of one array are `PjitFunction`s in the array's class, and the
interpreter calls them without reporting a call. What C++ prints tells that some
jitted function was called and with which key, not which; so the instructions that
mean an operator are watched, and say whose turn it is.
"""

from __future__ import annotations

import builtins
import dis
import gc
import sys
import types
from collections.abc import Callable

_OPERATORS = {"UNARY_NEGATIVE": "__neg__", "UNARY_INVERT": "__invert__",
              "INTRINSIC_UNARY_POSITIVE": "__pos__"}
_BYTES = [bytes([dis.opmap[name]])
          for name in ("UNARY_NEGATIVE", "UNARY_INVERT", "CALL_INTRINSIC_1")]
_kept: list[types.CodeType] = []
_without: set[int] = set()
"""Code that was looked through and has no operators, by id: to hash code, Python looks at
all of it. `_kept` keeps the ids true. Both only grow, and are shared by forked processes."""


def _look(code: types.CodeType) -> dict[int, str]:
    """Where a piece of code has an operator of one operand: offset -> name of the method."""
    steps, places = code.co_code[::2], {}
    if any(byte in steps for byte in _BYTES):
        for step in dis.get_instructions(code):
            name = step.argrepr if step.opname == "CALL_INTRINSIC_1" else step.opname
            if name in _OPERATORS:
                places[step.offset] = _OPERATORS[name]
    if not places:
        _kept.append(code)
        _without.add(id(code))
    return places


def look_through() -> None:
    """Look through all functions there are, so that processes forked from this one need not."""
    codes = [f.__code__ for f in gc.get_objects() if type(f) is types.FunctionType]
    while codes:
        code = codes.pop()
        if id(code) not in _without:
            _look(code)
        codes.extend(part for part in code.co_consts if type(part) is types.CodeType)


class Operators:
    """Watches code for operators of one array.

    Args:
      tool: the number of the monitoring tool.
      said: called with the `PjitFunction` that an instruction is about to call.
    """

    def __init__(self, tool: int, said: Callable):
        from jax._src.array import ArrayImpl
        self._tool, self._said = tool, said
        self._methods = {name: method for name in (*_OPERATORS.values(), "__abs__")
                         if hasattr(method := getattr(ArrayImpl, name), "_fun")}
        self._array = ArrayImpl
        self._places: dict[int, dict[int, object]] = {}

    def called(self, called: object, first: object) -> None:
        """A call that is none of a jitted function: of ``abs``, of a function, of ``exec``."""
        if type(called) is types.FunctionType:
            if id(called.__code__) not in _without:
                self._watch(called.__code__)
        elif called is builtins.abs:
            if isinstance(first, self._array) and "__abs__" in self._methods:
                self._said(self._methods["__abs__"])
        elif type(called) is types.MethodType:
            self._watch(getattr(called.__func__, "__code__", None))
        elif called is builtins.exec and type(first) is types.CodeType:
            self._watch(first)

    def on_instruction(self, code: types.CodeType, offset: int) -> object:
        """The interpreter is at an instruction of watched code."""
        method = self._places[id(code)].get(offset)
        if method is None:
            return sys.monitoring.DISABLE
        self._said(method)
        return None

    def _watch(self, code: types.CodeType | None) -> None:
        if code is None or id(code) in _without or id(code) in self._places:
            return
        places = {offset: self._methods[name] for offset, name in _look(code).items()
                  if name in self._methods}
        _kept.append(code)
        self._places[id(code)] = places
        if places:
            monitoring = sys.monitoring
            monitoring.set_local_events(
                self._tool, code, monitoring.get_local_events(self._tool, code)
                | monitoring.events.INSTRUCTION)
