"""Classes that stand for ones written in C: they have two names.

In Python's own messages a class written in C appears with its module:
``unsupported operand type(s) for +: 'jaxlib._jax.ArrayImpl' and 'NoneType'``. A program
that asks for the name of the class gets it without: ``ArrayImpl``.

CPython source: ``Objects/typeobject.c: type_name, type_set_name``.
"""

from __future__ import annotations


class CType(type):
    """The type of such a class."""

    @property
    def __name__(cls) -> str:
        return cls.__qualname__


# A class made by a ``class`` statement has a type of this name.
CType.__name__ = CType.__qualname__ = "type"
CType.__module__ = "builtins"


def written_in_c(cls: CType, name: str) -> None:
    """Give a class the full `name` that messages show: ``"jaxlib._jax.ArrayImpl"``."""
    type.__dict__["__name__"].__set__(cls, name)
    cls.__module__, _, cls.__qualname__ = name.rpartition(".")
