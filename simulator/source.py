"""Where in the program we are: user frames, lines and columns.

JAX source: ``jax/_src/source_info_util.py: user_frame, summarize,
is_user_filename``.
"""

from __future__ import annotations

import os
import sys
from types import CodeType, FrameType
from typing import Iterator

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_STDLIB = os.path.dirname(os.path.abspath(os.__file__)) + os.sep


def is_user_file(filename: str) -> bool:
    """Whether code in this file belongs to the user rather than to the library."""
    return not filename.startswith((_HERE, _STDLIB, "<frozen"))


def _user_frames() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if is_user_file(frame.f_code.co_filename):
            yield frame
        frame = frame.f_back


def _position(code: CodeType, instruction: int) -> tuple[int | None, int | None]:
    for i, (line, _, column, _) in enumerate(code.co_positions()):
        if i == instruction // 2:
            return line, column
    return None, None


def callsite() -> str:
    """``file.py:18:49 (name)`` of the innermost user frame, ``unknown`` without one."""
    for frame in _user_frames():
        line, column = _position(frame.f_code, frame.f_lasti)
        place = f"{frame.f_code.co_filename}:{line or frame.f_lineno}"
        if column:
            place += f":{column}"
        return f"{place} ({frame.f_code.co_qualname})"
    return "unknown"


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
