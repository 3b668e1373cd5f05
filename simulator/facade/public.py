"""What a facade module does with a name it does not define.

A public name of the real module is out of scope; any other name is an
AttributeError, as it would be on real JAX.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from simulator.errors import OutOfScope
from simulator.facts import text


@functools.cache
def _names() -> str:
    # JSON with one line per module, searched as text: five thousand small strings would
    # take time and, in the engine's memory, room.
    return text("public-names.json")


@functools.cache
def _names_of(module: str) -> str:
    return _names().partition(f'\n "{module}": ')[2].partition("\n")[0]


def is_module(name: str) -> bool:
    """Whether the real packages have a module of this name; private ones count."""
    return "._" in name or f'\n "{name}": ' in _names() or f'\n "{name}.' in _names()


def missing(module: str) -> Callable[[str], Any]:
    """A module-level ``__getattr__`` for the facade of `module` (``"jax.lax"``)."""
    def getattr_(name: str) -> Any:
        if f'"{name}"' in _names_of(module):
            raise OutOfScope(f"{module}.{name}")
        if name.startswith("_src") or module.split(".")[-1].startswith("_"):
            raise OutOfScope(f"{module}.{name}", "use the public API")
        raise AttributeError(f"module '{module}' has no attribute '{name}'")
    return getattr_
