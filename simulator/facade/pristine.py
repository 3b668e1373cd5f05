"""The facade as it was before a program changed it.

A program may replace functions of ``jax`` and ``numpy`` (``jax.jit = mine``). The
modules outlive the program, so the next one has to find them untouched.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
import types
from typing import Any

from simulator import facade


@functools.cache
def _names() -> list[tuple[types.ModuleType, dict[str, Any]]]:
    found = []
    for item in pkgutil.walk_packages(facade.__path__, "simulator.facade."):
        module = importlib.import_module(item.name)
        found.append((module, {name: value for name, value in vars(module).items()
                               if not name.startswith("_")}))
    return found


def remember() -> None:
    """Take the facade as it is now for untouched; only the first call counts."""
    _names()


def restore() -> None:
    """Put back every public name of every facade module."""
    for module, names in _names():
        here = vars(module)
        if any(here.get(name, here) is not value for name, value in names.items()) \
                or len(here) > len(names):
            for name in [n for n in here if not n.startswith("_") and n not in names
                         and not isinstance(here[n], types.ModuleType)]:
                del here[name]
            here.update(names)
