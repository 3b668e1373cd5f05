"""What a program has silenced: `logging` and `warnings` are the real modules.

A program may quieten JAX (``logging.getLogger("jax").setLevel(...)``,
``warnings.simplefilter("ignore")``); the model asks those settings before it
speaks, and puts them back when the program is over.
"""

from __future__ import annotations

import builtins
import contextlib
import logging
import warnings
from collections.abc import Iterator


def speaks(logger: str) -> bool:
    """Whether warnings of this logger are let through."""
    return logging.getLogger(logger).isEnabledFor(logging.WARNING)


def warned(category: str, text: str) -> bool:
    """Whether a Python warning is shown. Raises it where the program made it an error."""
    kind = getattr(builtins, category, None)
    if kind is None:
        return True
    with warnings.catch_warnings(record=True) as shown:
        warnings.warn(text, kind, stacklevel=2)
    return bool(shown)


@contextlib.contextmanager
def own_settings() -> Iterator[None]:
    """For the length of a program: every warning is shown, and its settings end with it."""
    manager = logging.root.manager
    known = {name: (log.level, log.disabled, list(log.handlers))
             for name, log in [("", logging.root), *manager.loggerDict.items()]
             if isinstance(log, logging.Logger)}
    disable = manager.disable
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            yield
    finally:
        manager.disable = disable
        for name, log in [("", logging.root), *manager.loggerDict.items()]:
            if isinstance(log, logging.Logger):
                level, log.disabled, log.handlers[:] = known.get(name, (0, False, []))
                log.setLevel(level)
