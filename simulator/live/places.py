"""Where in a program something happens: the nearest line that people wrote."""

from __future__ import annotations

import functools
import linecache
import os
import sys
import sysconfig
from types import CodeType, FrameType

from simulator.running.outermost import LABEL

_LIBRARIES = tuple({os.path.join(sysconfig.get_path(name), "")
                    for name in ("stdlib", "platstdlib", "purelib", "platlib")})
_HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")


@functools.cache
def _holds_distributions(folder: str) -> bool:
    """Whether packages were installed into a folder, wherever it is (``pip install --target``)."""
    try:
        return any(name.endswith(".dist-info") for name in os.listdir(folder))
    except OSError:
        return False


class Place:
    """One spot of a program. `line` is in the main file; `where` names another file's line."""

    __slots__ = ("label", "line", "where")

    def __init__(self, label: str, line: int | None, where: str | None):
        self.label, self.line, self.where = label, line, where


NOWHERE = Place("?", None, None)


class Places:
    """Finds places. A file counts as the program's own when it is no library.

    Args:
      main: the absolute path of the program. lines: its text.
    """

    def __init__(self, main: str, lines: list[str]):
        self._main, self._lines = main, lines
        self._folder = os.path.dirname(main)
        self._own: dict[CodeType, bool] = {}
        self._known: dict[tuple[CodeType, int], Place] = {}

    def __call__(self, frame: FrameType | None) -> Place:
        """The place of the innermost frame of the program's own code."""
        own = self._own
        while frame is not None:
            code = frame.f_code
            mine = own.get(code)
            if mine is None:
                mine = own[code] = self._is_own(code.co_filename)
            if mine:
                spot = code, frame.f_lasti
                found = self._known.get(spot)
                if found is None:
                    found = self._known[spot] = self._make(frame)
                return found
            frame = frame.f_back
        return NOWHERE

    def _is_own(self, file: str) -> bool:
        if file == self._main:
            return True
        return not (file.startswith(("<", _HERE, *_LIBRARIES))
                    or f"{os.sep}site-packages{os.sep}" in file
                    or any(file.startswith(os.path.join(entry, "")) and _holds_distributions(entry)
                           for entry in map(os.path.abspath, filter(None, sys.path))))

    def _make(self, frame: FrameType) -> Place:
        file, line = frame.f_code.co_filename, frame.f_lineno
        if file == self._main:
            return Place(self._label(self._lines[line - 1] if line else ""), line, None)
        outer = frame
        while outer is not None and outer.f_code.co_filename != self._main:
            outer = outer.f_back
        where = os.path.relpath(file, self._folder)
        return Place(self._label(linecache.getline(file, line or 0)),
                     outer.f_lineno if outer is not None else None, f"{where}:{line}")

    def _label(self, text: str) -> str:
        return text.strip()[:LABEL] or "?"
