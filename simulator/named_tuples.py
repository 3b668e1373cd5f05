"""Named tuples, made quickly.

``typing.NamedTuple`` looks at the annotation of every field, and compiles it where it is
text: a third of a millisecond for one class. A short program would spend a tenth of its
time on that. Here the annotations are for the reader alone.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any

_NOT_COPIED = {"__annotations__", "__module__", "__qualname__", "__static_attributes__",
               "__firstlineno__"}


class _Maker(type):
    def __new__(cls, name: str, bases: tuple, body: dict[str, Any]) -> type:
        if not bases:  # `NamedTuple` itself
            return super().__new__(cls, name, bases, body)
        fields = tuple(body["__annotations__"])
        made = namedtuple(name, fields, defaults=[body[f] for f in fields if f in body],
                          module=body["__module__"])
        for key, value in body.items():
            if key not in _NOT_COPIED and key not in fields:
                setattr(made, key, value)
        made.__annotations__ = body["__annotations__"]
        made.__qualname__ = body["__qualname__"]
        return made


if TYPE_CHECKING:
    from typing import NamedTuple
else:
    class NamedTuple(metaclass=_Maker):
        """Base of a class whose annotated names are the fields of a tuple.

        As ``typing.NamedTuple``: a value given to a name is its default; methods may be
        defined, but not ``__new__``, and not with ``super()``.
        """
