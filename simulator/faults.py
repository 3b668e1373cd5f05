"""Telling the program's errors from the model's own.

A mistake in the model must never pass for something JAX does. An error of a kind
that JAX does not raise on purpose, coming out of the model's own code, ends the
run as out of scope.
"""

from __future__ import annotations

import dis
import os
import traceback
import types

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
# Python raises these by itself when code is wrong ...
_SLIPS = (AttributeError, NameError, KeyError)
# ... and the model raises these only to say that it is wrong.
_ADMISSIONS = (AssertionError, NotImplementedError)


def _on_purpose(tb: types.TracebackType) -> bool:
    """Whether the innermost frame of `tb` stands at a ``raise`` statement."""
    while tb.tb_next is not None:
        tb = tb.tb_next
    return any(i.offset == tb.tb_lasti and i.opname == "RAISE_VARARGS"
               for i in dis.get_instructions(tb.tb_frame.f_code))


def is_fault(error: BaseException) -> bool:
    """Whether `error` is a mistake in the model rather than the program's."""
    if not isinstance(error, (*_SLIPS, *_ADMISSIONS)) or error.__traceback__ is None:
        return False
    file = os.path.abspath(traceback.extract_tb(error.__traceback__)[-1].filename)
    if not file.startswith(_HERE):
        return False
    return isinstance(error, _ADMISSIONS) or not _on_purpose(error.__traceback__)


def describe(error: BaseException) -> str:
    """A line that finds the place again."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return (f"a mistake in the model ({type(error).__name__}: {error}, in "
            f"{os.path.basename(last.filename)} line {last.lineno})")
