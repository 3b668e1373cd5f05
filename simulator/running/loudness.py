"""What a program has silenced: `logging` and `warnings` are the real modules.

A program may quieten JAX (``logging.getLogger("jax").setLevel(...)``,
``warnings.simplefilter("ignore")``); the model asks those settings before it
speaks, and puts them back when the program is over.
"""

from __future__ import annotations

import builtins
import contextlib
import sys
import warnings
from collections.abc import Iterator

_WARNING = 30  # logging.WARNING


def speaks(logger: str) -> bool:
    """Whether warnings of this logger are let through."""
    logging = sys.modules.get("logging")  # a program that never loaded it has silenced nothing
    return logging is None or logging.getLogger(logger).isEnabledFor(_WARNING)


def warned(category: str, text: str) -> bool:
    """Whether a Python warning is printed; a program that collects warnings is given it.

    Raises it where the program made it an error."""
    kind = getattr(builtins, category, None)
    if kind is None:
        return True
    with warnings.catch_warnings(record=True) as shown:
        warnings.warn(text, kind, stacklevel=2)
    if _shows() == _usual:
        return bool(shown)
    for w in shown:  # the program collects warnings, or shows them in its own way
        warnings.showwarning(w.message, w.category, w.filename, w.lineno)
    return False


def _shows() -> tuple:
    # What a warning goes through: `catch_warnings(record=True)` replaces the second.
    return warnings.showwarning, getattr(warnings, "_showwarnmsg_impl", None)


_usual = _shows()


def _loggers() -> list:
    logging = sys.modules.get("logging")
    if logging is None:
        return []
    found = [("", logging.root), *logging.root.manager.loggerDict.items()]
    return [(name, log) for name, log in found if isinstance(log, logging.Logger)]


@contextlib.contextmanager
def own_settings() -> Iterator[None]:
    """For the length of a program: every warning is shown, and its settings end with it."""
    global _usual
    known = {name: (log.level, log.disabled, list(log.handlers)) for name, log in _loggers()}
    disabled = sys.modules["logging"].root.manager.disable if known else 0
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            _usual = _shows()
            yield
    finally:
        for name, log in _loggers():
            fresh = (0 if name else _WARNING), False, []
            level, log.disabled, log.handlers[:] = known.get(name, fresh)
            log.setLevel(level)
            log.manager.disable = disabled
