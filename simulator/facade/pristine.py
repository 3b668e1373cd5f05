"""The facade as it was before a program changed it.

A program may replace functions of ``jax`` and ``numpy`` (``jax.jit = mine``). The
modules outlive the program, so the next one has to find them untouched.
"""

from __future__ import annotations

import sys
import types
from typing import Any

_FACADE = "simulator.facade."
_known: dict[str, dict[str, Any]] = {}
_looked_at: set[str] = set()    # modules that are known, or not of the facade


def remember() -> None:
    """Take every facade module that is there for untouched, if it was not seen before.
    (One that is being imported right now is not complete yet.)"""
    for name in sys.modules.keys() - _looked_at:
        if name.startswith(_FACADE):
            module = sys.modules[name]
            if getattr(module.__spec__, "_initializing", False):
                continue
            _known[name] = {key: value for key, value in vars(module).items()
                            if not key.startswith("_")}
        _looked_at.add(name)


def loaded(module: str, name: str, value: Any) -> None:
    """Take a name for untouched that a facade module has only now."""
    remember()
    if module in _known:
        _known[module][name] = value


def restore() -> None:
    """Put back every public name of every facade module."""
    for module, names in _known.items():
        here = vars(sys.modules[module])
        if any(here.get(name, here) is not value for name, value in names.items()) \
                or len(here) > len(names):
            for name in [n for n in here if not n.startswith("_") and n not in names
                         and not isinstance(here[n], types.ModuleType)]:
                del here[name]
            here.update(names)


def everything() -> None:
    """Load all there is of the facade."""
    import importlib
    import pkgutil

    from simulator import facade
    from simulator.facade import lazily
    for item in pkgutil.walk_packages(facade.__path__, _FACADE):
        importlib.import_module(item.name)
    lazily.everything()
    remember()
