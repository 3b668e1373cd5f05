"""Where in the program we are: user frames, lines and columns.

JAX source: ``jax/_src/source_info_util.py: user_frame, summarize,
is_user_filename``.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
import threading
from collections.abc import Iterator
from types import CodeType, FrameType


def folder_of(code: CodeType) -> str:
    """The folder of a piece of code, as its frames name it.

    Not from ``__file__``: code that was compiled elsewhere and shipped (the
    browser's wheel) still carries the names it was compiled under.
    """
    return os.path.dirname(code.co_filename) + os.sep


MODEL = os.path.dirname(os.path.dirname(folder_of(folder_of.__code__))) + os.sep
_STDLIB = folder_of(os.makedirs.__code__)


_known: dict[str, bool] = {}    # file name -> whether it is a user's


def is_user_file(filename: str) -> bool:
    """Whether code in this file belongs to the user rather than to the library."""
    found = _known.get(filename)
    if found is None:
        found = _known[filename] = not filename.startswith(
            (MODEL, _STDLIB, "<frozen", "<site>"))
    return found


def _user_frames() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if is_user_file(frame.f_code.co_filename):
            yield frame
        frame = frame.f_back


def _position(code: CodeType, instruction: int) -> tuple[int | None, int | None]:
    line, _, column, _ = next(itertools.islice(code.co_positions(), instruction // 2, None),
                              (None,) * 4)
    return line, column


Place = tuple[CodeType, int] | tuple[()]


class _Pretended(threading.local):
    place: Place | None = None


_pretended = _Pretended()


def here(within: CodeType | None = None, beyond: int = 0) -> Place:
    """Code and instruction of the innermost user frame, () without one.

    Args:
      within: look no further than the innermost frame of this code.
      beyond: so many callers are known to be the model's own.
    """
    if _pretended.place is not None:
        return _pretended.place
    frame: FrameType | None = sys._getframe(1 + beyond)
    known = _known
    while frame is not None and (code := frame.f_code) is not within:
        name = code.co_filename
        if known[name] if name in known else is_user_file(name):
            return code, frame.f_lasti
        frame = frame.f_back
    return ()


def places(within: CodeType, beyond: int, around: tuple[Place, ...]
           ) -> tuple[Place, tuple[Place, ...]]:
    """What `here` says, and the places of all user frames, the innermost first.

    Args:
      within: look no further than the innermost frame of this code, or the main module.
      beyond: so many callers are known to be the model's own.
      around: the places from there on.
    """
    if _pretended.place is not None:
        return _pretended.place, (_pretended.place,)
    frame: FrameType | None = sys._getframe(1 + beyond)
    known, found = _known, []
    while frame is not None and (code := frame.f_code) is not within:
        name = code.co_filename
        if known[name] if name in known else is_user_file(name):
            found.append((code, frame.f_lasti))
            if code.co_name == "<module>" and frame.f_globals.get("__name__") == "__main__":
                break
        frame = frame.f_back
    return found[0] if found else (), (*found, *around)


@contextlib.contextmanager
def pretending(place: Place | None) -> Iterator[None]:
    """Inside, we are where `place` says (if anything), not where the stack says.

    An equation is lowered as if from where it was traced
    (``source_info_util.user_context``).
    """
    before = _pretended.place
    _pretended.place = before if place is None else place
    try:
        yield
    finally:
        _pretended.place = before


def callsite(within: CodeType | None = None) -> str:
    """``file.py:18:49 (name)`` of `here(within)`, empty without a user frame."""
    return frames(here(within))


def frames(*places: Place) -> str:
    """Lines ``file.py:18:49 (name)``, the innermost frame last; empty for no place."""
    return "\n".join(_summary(*place) for place in reversed(places) if place)


def _summary(code: CodeType, instruction: int) -> str:
    line, column = _position(code, instruction)
    text = f"{code.co_filename}:{line or code.co_firstlineno}"
    if column:
        text += f":{column}"
    return f"{text} ({code.co_qualname})"


def user_position() -> tuple[str, int]:
    """File name and line of the innermost user frame."""
    for frame in _user_frames():
        return frame.f_code.co_filename, frame.f_lineno
    return "(unknown file)", 0


def line_in(filename: str) -> int | None:
    """The innermost line of `filename` that is being executed, or None."""
    for frame in _user_frames():
        if frame.f_code.co_filename == filename:
            return frame.f_lineno
    return None
