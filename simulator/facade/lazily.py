"""Facade packages whose names live in modules that are loaded when first asked for.

A short program uses a handful of a thousand names; loading all of them would take
most of its time. To the program there is no difference: a name is the same object
whenever it is asked for, and ``dir`` shows them all.
"""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any

from simulator.facade import pristine

_packages: dict[str, dict[str, tuple[str, str]]] = {}
_asked: set[tuple[str, str]] = set()    # (package, module of it) that the program imported


def names(package: str, homes: Mapping[str, str], missing: Callable[[str], Any]
          ) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The ``__getattr__`` and the ``__dir__`` of a facade package.

    Args:
      package: its ``__name__``.
      homes: module -> the names that it gives to the package, separated by blanks;
        ``asarray=array`` where it calls the thing ``array``. A module that begins
        with a dot is one of the package itself; the names of ``"."`` are modules.
      missing: what happens with any other name.
    """
    where: dict[str, tuple[str, str]] = {}
    for home, listed in homes.items():
        home = package + home if home.startswith(".") else home
        for entry in listed.split():
            name, _, original = entry.partition("=")
            where[name] = (home + name, "") if home.endswith(".") else (home, original or name)
    _packages[package] = where
    here = vars(sys.modules[package])

    def getattr_(name: str) -> Any:
        found = where.get(name)
        if found is None:
            return missing(name)
        home, original = found
        module = importlib.import_module(home)
        value = getattr(module, original) if original else module
        here[name] = value
        tidy()
        pristine.loaded(package, name, value)
        return value

    def dir_() -> list[str]:
        tidy()
        return sorted({*here, *where})

    return getattr_, dir_


def tidy() -> None:
    """Take away what importing has put into the packages: the modules behind them, which
    are no part of what they show."""
    for package, where in _packages.items():
        here = vars(sys.modules[package])
        for name in [n for n, value in here.items() if n not in where
                     and isinstance(value, types.ModuleType)
                     and value.__name__ == f"{package}.{n}" and (package, n) not in _asked]:
            del here[name]


def show(module: str) -> None:
    """The program has imported `module`: from now on its packages have it as a name."""
    package, _, name = module.rpartition(".")
    if package.startswith("simulator.facade.") and name not in _packages.get(package, ()):
        _asked.add((package, name))
        setattr(sys.modules[package], name, sys.modules[module])
        show(package)


def hide() -> None:
    """Nothing is imported yet: a new program begins."""
    for package, name in _asked:
        vars(sys.modules[package]).pop(name, None)
    _asked.clear()


def complete(package: str) -> None:
    """Load every name of a package: for ``from package import *``."""
    module = sys.modules[package]
    for name in _packages.get(package, ()):
        getattr(module, name)


def everything() -> None:
    """Load every module that gives names to a package: all primitives are there afterwards."""
    for where in list(_packages.values()):
        for home in dict.fromkeys(home for home, _ in where.values()):
            importlib.import_module(home)


class Later:
    """A module whose functions load it when they are first called.

    Args:
      name: of the module.
    """

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, function: str) -> Callable:
        found: Callable | None = None

        def late(*args: Any, **kwargs: Any) -> Any:
            nonlocal found
            if found is None:
                found = getattr(importlib.import_module(self._name), function)
                self.__dict__[function] = found
            return found(*args, **kwargs)

        late.__name__ = late.__qualname__ = function
        self.__dict__[function] = late
        return late
