"""Attributes that JAX's objects have and the model's do not.

Asking for one ends the run as out of scope; any other missing attribute is the
program's AttributeError, as on real JAX.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.errors import OutOfScope


def refusing(kind: str, names: str, shown: str = "") -> Callable[[Any, str], Any]:
    """A ``__getattr__`` for a class.

    Args:
      kind: how the class is called in the refusal (``"Lowered"``).
      names: the attributes that are refused, separated by blanks.
      shown: the class name in the AttributeError, if not that of the object.
    """
    refused = frozenset(names.split())

    def getattr_(self: Any, name: str) -> Any:
        if name in refused:
            raise OutOfScope(f"{kind}.{name}", "use the attributes that are covered")
        raise AttributeError(f"{shown or type(self).__name__!r} object has no attribute {name!r}",
                             name=name, obj=self)
    return getattr_
