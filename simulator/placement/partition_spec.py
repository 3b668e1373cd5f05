"""`PartitionSpec` (`jax.P`): which mesh axes split which dimension of an array.

Specs are interned: two equal ones are the same object, so ``==`` is identity.
``P('x')`` and ``P('x', None)`` mean the same for a matrix but are not equal.

JAX source: `jax/_src/partition_spec.py: P`; `jaxlib/partition_spec.cc`.

Simplified: no `reduced` axes, and no `unreduced` ones.
"""

from __future__ import annotations

import weakref

from simulator.errors import OutOfScope


class _Unconstrained:
    def __repr__(self):
        return "UNCONSTRAINED"


UNCONSTRAINED = _Unconstrained()


def _canonical(part):
    if not part:
        return None
    if isinstance(part, (tuple, list)):
        for p in part:
            if isinstance(p, (tuple, list)):
                raise ValueError("A tuple inside PartitionSpec cannot contain a nested tuple. Got "
                                 f"partition: {part} and the nested tuple: {p}")
        return part[0] if len(part) == 1 else tuple(part)
    return part


class PartitionSpec:
    """One entry per dimension: None, an axis name, or a tuple of axis names."""

    __slots__ = ("_partitions", "__weakref__")
    UNCONSTRAINED = UNCONSTRAINED
    unreduced = reduced = frozenset()
    unreduced_kind = None

    def __new__(cls, *partitions, unreduced=frozenset(), reduced=frozenset(),
                unreduced_kind=None):
        for name, value in (("unreduced", unreduced), ("reduced", reduced)):
            if not isinstance(value, (set, frozenset)):
                raise TypeError(f"{name} argument of PartitionSpec should of type `frozenset` or "
                                f"`set`. Got type {type(value)}")
        if unreduced or reduced or unreduced_kind is not None:
            raise OutOfScope("unreduced or reduced axes in a PartitionSpec", "leave them out")
        key = tuple(map(_canonical, partitions))
        spec = _interned.get(key)
        if spec is None:
            spec = object.__new__(cls)
            object.__setattr__(spec, "_partitions", key)
            _interned[key] = spec
        return spec

    def __init_subclass__(cls, *args, **kwargs):
        raise TypeError("Subclassing `jax.P` is prohibited.")

    def __setattr__(self, name, value):
        raise AttributeError(f"cannot assign to field {name!r}")

    @property
    def partitions(self) -> tuple:
        """One entry per dimension: None, an axis name, or a tuple of names."""
        return self._partitions

    def __repr__(self):
        return f"P({repr(self._partitions)[1:-1]})"

    def __reduce__(self):
        return PartitionSpec, self._partitions

    def __getitem__(self, i):
        return self._partitions[i]

    def __iter__(self):
        return iter(self._partitions)

    def __len__(self):
        return len(self._partitions)

    def __add__(self, other):
        if not isinstance(other, (PartitionSpec, tuple)):
            return NotImplemented
        return PartitionSpec(*self, *other)

    def __radd__(self, other):
        return PartitionSpec(*other, *self) if isinstance(other, tuple) else NotImplemented

    def index(self, value):
        """The first place of an entry. ValueError when there is none."""
        return self._partitions.index(_canonical(value))

    def count(self, value):
        """How often an entry occurs."""
        return self._partitions.count(_canonical(value))

    def update(self, partitions=None, **kwargs):
        """A spec with other entries, or other unreduced and reduced axes."""
        return PartitionSpec(*(self._partitions if partitions is None else partitions), **kwargs)

    def names(self) -> list:
        """All axis names in it, in order."""
        flat = []
        for part in self._partitions:
            if part is not None and part is not UNCONSTRAINED:
                flat.extend(part if isinstance(part, tuple) else (part,))
        return flat


PartitionSpec.__module__ = "jax"
PartitionSpec.__name__ = PartitionSpec.__qualname__ = "P"
_interned: weakref.WeakValueDictionary = weakref.WeakValueDictionary()
P = PartitionSpec
