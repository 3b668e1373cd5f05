"""Programs without marks: every outermost piece of work becomes a call.

A call begins where the program, with nothing of ours open, calls a jitted
function, ``trace``, ``lower``, ``eval_shape``, ``compile`` or a `Compiled`, or
evaluates a primitive eagerly; it ends where that comes back. Its label is the
source line. What happens inside, on whatever thread, belongs to it. Such calls
have no value: on real JAX the end of a C call is reported without its result.

The rule and the labels are shared with `simulator.live.outermost`.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from simulator import process
from simulator.running import reading, source

LABEL = 100  # characters


_ONLY_TREE = 0x400  # ast.PyCF_ONLY_AST
_MARKS = {"call", "note"}


def _nodes(text: str) -> Iterator[tuple[Any, frozenset[str]]]:
    # As `ast.walk` of `ast.parse`, without loading `ast`; with each node what the
    # arguments of the functions around it are called.
    tree = compile(text, "<unknown>", "exec", _ONLY_TREE, dont_inherit=True)
    waiting: list[tuple[Any, frozenset[str]]] = [(tree, frozenset())]
    while waiting:
        node, arguments = waiting.pop()
        yield node, arguments
        if type(node).__name__ in ("FunctionDef", "AsyncFunctionDef", "Lambda"):
            arguments |= {arg.arg for arg in _arguments(node.args)}
        for name in node._fields:
            value = getattr(node, name, None)
            waiting += [(item, arguments) for item in (value if isinstance(value, list) else [value])
                        if hasattr(item, "_fields")]


def _arguments(of: Any) -> list[Any]:
    return [*of.posonlyargs, *of.args, *of.kwonlyargs, *filter(None, (of.vararg, of.kwarg))]


def marked(text: str) -> bool:
    """Whether a program uses the injected `call` or `note` and does not define them."""
    bound: set[str] = set()
    used: set[str] = set()
    for node, arguments in _nodes(text):
        match type(node).__name__:
            case "FunctionDef" | "AsyncFunctionDef" | "ClassDef":
                bound.add(node.name)
            case "Name" if type(node.ctx).__name__ == "Store":
                bound.add(node.id)
            case "alias":
                bound.add(node.asname or node.name)
            case "Call" if type(node.func).__name__ == "Name":
                used |= {node.func.id} & _MARKS - arguments
    return bool(used - bound)


def label(lines: Sequence[str], line: int | None) -> str:
    """The label of a call that begins on a 1-based line of the program."""
    return lines[line - 1].strip()[:LABEL] if line and line <= len(lines) else "?"


class Session(Protocol):
    """What records the calls."""

    def open(self, label: str, line: int | None) -> None:
        """A call begins: its label, and the line of the program it is on."""

    def end(self, error: BaseException | None) -> Any:
        """The call that began is over; `error` is what it raised, or None."""


class Outermost:
    """Opens and closes the calls of a session. A context manager around each candidate.

    Args:
      session: told about beginnings and ends.
      filename, text: the program.
    """

    def __init__(self, session: Session, filename: str, text: str):
        self._session, self._filename = session, filename
        self._lines = reading.lines(text)
        self._depths = threading.local()
        self._owner: int | None = None

    def __enter__(self) -> None:
        depth = getattr(self._depths, "value", 0)
        self._depths.value = depth + 1
        if not depth and self._owner is None:
            self._owner = threading.get_ident()
            line = source.line_in(self._filename)
            self._session.open(label(self._lines, line), line)

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        self._depths.value -= 1
        if not self._depths.value and self._owner == threading.get_ident():
            self._owner = None
            self._session.end(error)


def candidate(function: Callable) -> Callable:
    """Decorator: a call of this function is recorded when it is an outermost one."""
    @functools.wraps(function)
    def watched(*args: Any, **kwargs: Any) -> Any:
        watcher = process.current().on_outermost
        if watcher is None:
            return function(*args, **kwargs)
        with watcher:
            return function(*args, **kwargs)
    return watched
