"""The named axes in scope (`vmap(axis_name=…)`, `shard_map`): a value, part of every key.

JAX source: `jax/_src/core.py: AxisEnv`.
"""

from __future__ import annotations

from typing import Any

from simulator.named_tuples import NamedTuple


class NamedAxisEffect(NamedTuple):
    """That an equation needs a named axis. It may be dropped with its equation.

    JAX source: `jax/_src/core.py: NamedAxisEffect`.
    """

    name: Any


class AxisEnv:
    """Immutable map from axis name to size, and which names are SPMD or explicit mesh axes."""

    __slots__ = ("axis_sizes", "spmd_axis_names", "explicit_mesh_axis_names", "_key")

    def __init__(self, axis_sizes=(), spmd_axis_names=(), explicit_mesh_axis_names=()):
        self.axis_sizes = dict(axis_sizes)
        self.spmd_axis_names = frozenset(spmd_axis_names)
        self.explicit_mesh_axis_names = frozenset(explicit_mesh_axis_names)
        self._key = (frozenset(self.axis_sizes.items()), self.spmd_axis_names,
                     self.explicit_mesh_axis_names)

    def __eq__(self, other):
        return self is other or isinstance(other, AxisEnv) and self._key == other._key

    def __hash__(self):
        return hash(self._key)

    def __repr__(self):
        # Logs show JAX's object, which says nothing.
        return f"<jax._src.core.AxisEnv object at {id(self):#x}>"

    def key_text(self) -> str:
        """The sizes, for the text of a key."""
        return repr(self.axis_sizes)

    def axis_exists(self, name) -> bool:
        """Whether an axis of this name is in scope."""
        return name in self.axis_sizes

    def axis_names(self) -> tuple:
        """The names in scope, outermost first."""
        return tuple(self.axis_sizes)

    def axis_size(self, name) -> int:
        """Size of the axis; NameError when it is not in scope."""
        if name not in self.axis_sizes:
            raise NameError(f"unbound axis name: {name}")
        return self.axis_sizes[name]

    def extend(self, pairs) -> AxisEnv:
        """With more axes; a pair named None adds nothing."""
        sizes = {**self.axis_sizes, **{n: s for n, s in pairs if n is not None}}
        return AxisEnv(sizes, self.spmd_axis_names, self.explicit_mesh_axis_names)

    def without(self, name) -> AxisEnv:
        """A copy without the axis `name`; the same names when it is not in scope."""
        sizes = {n: s for n, s in self.axis_sizes.items() if n != name}
        return AxisEnv(sizes, self.spmd_axis_names, self.explicit_mesh_axis_names)

    def with_spmd_names(self, names) -> AxisEnv:
        """A copy in which these mesh axes are SPMD names, too."""
        return AxisEnv(self.axis_sizes, self.spmd_axis_names | set(names),
                       self.explicit_mesh_axis_names)

    def with_explicit_names(self, names) -> AxisEnv:
        """A copy in which these mesh axes are explicit, too."""
        return AxisEnv(self.axis_sizes, self.spmd_axis_names,
                       self.explicit_mesh_axis_names | set(names))

    def without_explicit_names(self, names) -> AxisEnv:
        """A copy in which these mesh axes are not explicit."""
        return AxisEnv(self.axis_sizes, self.spmd_axis_names,
                       self.explicit_mesh_axis_names - set(names))


NO_AXES = AxisEnv()
