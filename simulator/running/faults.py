"""Telling the program's errors from the model's own.

A mistake in the model must never pass for something JAX does. An error of a kind
that JAX does not raise on purpose, coming out of the model's own code, ends the
run as out of scope.
"""

from __future__ import annotations

import os
import types

from simulator.running.source import MODEL

# Python raises these by itself when code is wrong; JAX raises them, too, but says so.
_SLIPS = (AttributeError, NameError, KeyError, AssertionError)
_ASSERT = ("LOAD_ASSERTION_ERROR", "LOAD_COMMON_CONSTANT")  # Python 3.13; later ones


def _on_purpose(tb: types.TracebackType) -> bool:
    """Whether the innermost frame of `tb` stands at a ``raise``, and not at an ``assert``."""
    import dis
    while tb.tb_next is not None:
        tb = tb.tb_next
    code = list(dis.get_instructions(tb.tb_frame.f_code))
    line = next((i.positions.lineno for i in code if i.positions and
                 i.offset == tb.tb_lasti and i.opname == "RAISE_VARARGS"), None)
    return line is not None and not any(
        i.opname in _ASSERT and i.positions and i.positions.lineno == line for i in code)


def is_fault(error: BaseException) -> bool:
    """Whether `error` is a mistake in the model rather than the program's."""
    if not isinstance(error, _SLIPS) or error.__traceback__ is None:
        return False
    import traceback
    if not traceback.extract_tb(error.__traceback__)[-1].filename.startswith(MODEL):
        return False
    return not _on_purpose(error.__traceback__)


def describe(error: BaseException) -> str:
    """A line that finds the place again."""
    import traceback
    last = traceback.extract_tb(error.__traceback__)[-1]
    return (f"a mistake in the model ({type(error).__name__}: {error}, in "
            f"{os.path.basename(last.filename)} line {last.lineno})")
