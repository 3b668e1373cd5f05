"""What a facade module does with a name it does not define.

A public name of the real module is out of scope; any other name is an
AttributeError, as it would be on real JAX.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from simulator.errors import OutOfScope
from simulator.facts import read


@functools.cache
def _names() -> dict[str, str]:
    # The names of a module as one text, each in a line: five thousand small ones would be
    # a part of the engine's memory that is felt.
    return {module: "\n".join(["", *names, ""])
            for module, names in read("public-names.json").items()}


def is_module(name: str) -> bool:
    """Whether the real packages have a module of this name; private ones count."""
    return "._" in name or name in _names() or any(m.startswith(f"{name}.") for m in _names())


def missing(module: str) -> Callable[[str], Any]:
    """A module-level ``__getattr__`` for the facade of `module` (``"jax.lax"``)."""
    def getattr_(name: str) -> Any:
        if f"\n{name}\n" in _names().get(module, ""):
            raise OutOfScope(f"{module}.{name}")
        if name.startswith("_src") or module.split(".")[-1].startswith("_"):
            raise OutOfScope(f"{module}.{name}", "use the public API")
        raise AttributeError(f"module '{module}' has no attribute '{name}'")
    return getattr_
