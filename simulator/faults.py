"""Telling the program's errors from the model's own.

A mistake in the model must never pass for something JAX does. An error of a kind
that JAX does not raise on purpose, coming out of the model's own code, ends the
run as out of scope.
"""

from __future__ import annotations

import os
import traceback

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
# Raise AttributeError where JAX does: for names that the real module does not have
# either, for a custom_jvp function without a rule.
_ON_PURPOSE = {os.path.join(_HERE, "facade", "public.py"),
               os.path.join(_HERE, "custom_rules.py")}
_NEVER_ON_PURPOSE = (AttributeError, NameError, KeyError, AssertionError, NotImplementedError)


def is_fault(error: BaseException) -> bool:
    """Whether `error` is a mistake in the model rather than the program's."""
    if not isinstance(error, _NEVER_ON_PURPOSE):
        return False
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return False
    file = os.path.abspath(frames[-1].filename)
    return file.startswith(_HERE) and file not in _ON_PURPOSE


def describe(error: BaseException) -> str:
    """A line that finds the place again."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return (f"a mistake in the model ({type(error).__name__}: {error}, in "
            f"{os.path.basename(last.filename)} line {last.lineno})")
