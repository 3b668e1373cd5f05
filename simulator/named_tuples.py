"""Named tuples, made quickly.

``typing.NamedTuple`` looks at the annotation of every field, and ``collections.namedtuple``
compiles a constructor for every class: a short program would spend a tenth of its time on
that. Here the annotations are for the reader alone, and all classes with the same number of
fields share one compiled constructor, in which only the names differ.
"""

from __future__ import annotations

import functools
from collections import namedtuple
from collections.abc import Iterable
from types import FunctionType
from typing import TYPE_CHECKING, Any


class _Record(tuple):
    """What every named tuple can do."""

    __slots__ = ()
    _fields: tuple[str, ...]

    @classmethod
    def _make(cls, values: Iterable) -> Any:
        made = tuple.__new__(cls, values)
        if len(made) != len(cls._fields):
            raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
        return made

    def _replace(self, /, **changes: Any) -> Any:
        made = self._make(map(changes.pop, self._fields, self))
        if changes:
            raise TypeError(f"Got unexpected field names: {[*changes]}")
        return made

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self))

    def __getnewargs__(self) -> tuple:
        return tuple(self)

    def __repr__(self) -> str:
        shown = ", ".join([f"{name}={value!r}" for name, value in zip(self._fields, self)])
        return f"{type(self).__name__}({shown})"


@functools.cache
def _template(count: int) -> Any:
    return namedtuple("_", [f"field{i}" for i in range(count)])


class _Maker(type):
    def __new__(cls, name: str, bases: tuple, body: dict[str, Any]) -> type:
        if not bases:  # `NamedTuple` itself
            return super().__new__(cls, name, bases, body)
        fields = tuple(body["__annotations__"])
        template = _template(len(fields))
        new = template.__new__
        made = FunctionType(new.__code__.replace(co_varnames=("_cls", *fields)), new.__globals__,
                            "__new__", tuple([body[f] for f in fields if f in body]))
        made.__qualname__ = f"{name}.__new__"
        getters = {f: template.__dict__[t] for f, t in zip(fields, template._fields)}
        return type(name, (_Record,), {
            **body, **getters, "__new__": made, "__slots__": (), "_fields": fields,
            "_field_defaults": {f: body[f] for f in fields if f in body},
            "__match_args__": fields})


if TYPE_CHECKING:
    from typing import NamedTuple
else:
    class NamedTuple(metaclass=_Maker):
        """Base of a class whose annotated names are the fields of a tuple.

        As ``typing.NamedTuple``: a value given to a name is its default; methods may be
        defined, but not ``__new__``.
        """
