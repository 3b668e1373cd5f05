"""The steps of a path into a pytree, and how JAX prints them.

A path is a tuple of keys: ``x[0]['a'].w`` is
``(SequenceKey(0), DictKey('a'), GetAttrKey('w'))``. Registered node types may
use keys of their own; only ``str`` of a key is ever asked.

JAX source: `jaxlib/pytree.cc: SequenceKey, DictKey, GetAttrKey,
FlattenedIndexKey`; `jax/_src/tree_util.py: keystr`.
"""

from __future__ import annotations


class _Key:
    """One step. Equal when of the same class with an equal value."""

    __slots__ = ("_value",)
    _field = "key"

    def __init__(self, value):
        self._value = value

    def __eq__(self, other):
        return type(other) is type(self) and bool(self._value == other._value)

    def __hash__(self):
        return hash(self._value)

    def __repr__(self):
        return f"{type(self).__name__}({self._field}={self._value!r})"


class SequenceKey(_Key):
    """Position in a list or tuple."""

    __slots__ = ()
    __match_args__ = ("idx",)
    _field = "idx"

    def __init__(self, idx: int):
        super().__init__(idx)

    @property
    def idx(self) -> int:
        """The position in the tuple or list."""
        return self._value

    def __hash__(self):
        return self._value + 1

    def __str__(self):
        return f"[{self._value}]"


class DictKey(_Key):
    """Key of a dict."""

    __slots__ = ()
    __match_args__ = ("key",)

    def __init__(self, key):
        super().__init__(key)

    @property
    def key(self):
        """The key in the dictionary."""
        return self._value

    def __str__(self):
        return f"[{self._value!r}]"


class GetAttrKey(_Key):
    """Attribute of a dataclass or named tuple."""

    __slots__ = ()
    __match_args__ = ("name",)
    _field = "name"

    def __init__(self, name: str):
        super().__init__(name)

    @property
    def name(self) -> str:
        """The name of the attribute."""
        return self._value

    def __str__(self):
        return f".{self._value}"

    def __repr__(self):
        return f"GetAttrKey(name='{self._value}')"


class FlattenedIndexKey(_Key):
    """Position among the children of a node registered without key names."""

    __slots__ = ()
    __match_args__ = ("key",)

    def __init__(self, key: int):
        super().__init__(key)

    @property
    def key(self) -> int:
        """The number of the child, for a type that names none."""
        return self._value

    def __hash__(self):
        return self._value + 42

    def __str__(self):
        return f"[<flat index {self._value}>]"


def _simple(key) -> str:
    return str(key._value) if isinstance(key, _Key) else str(key)


def keystr(keys, *, simple: bool = False, separator: str = "") -> str:
    """The path as text: ``['a'][0].w``, or ``a/0/w`` with simple and "/"."""
    return separator.join(map(_simple if simple else str, keys))
