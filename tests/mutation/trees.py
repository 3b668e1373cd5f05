"""Ways to compare tree structures and the sharding of types, each without one of its parts."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from simulator.trees.treedef import CUSTOM, DATACLASS, NO_DATA, differ
from tests.mutation.comparing import By, Identity, Wrap


def _data_equal(a: Any, b: Any) -> bool:
    return (a is NO_DATA) == (b is NO_DATA) and not differ(a, b)


def _typed(a: Any, b: Any) -> bool:
    return type(a) is type(b) and _data_equal(a, b)


def _never_the_same(a: Any, b: Any) -> bool:
    return bool(a == b)


def _data(equal: Callable) -> Callable:
    return lambda node: By(node.data, equal)


# What `_nodes_equal` in `simulator.trees.treedef` looks at, part by part.
PARTS: dict[str, Callable] = {
    "kind": lambda node: node.kind,
    "arity": lambda node: node.arity,
    "type": lambda node: id(node.reg) if node.kind in (CUSTOM, DATACLASS) else 0,
    "metadata": _data(_data_equal),
    "dict keys": lambda node: tuple(node.keys),
}


def nodes(treedef: Any, parts: dict[str, Callable]) -> Hashable:
    """A treedef as a tuple of its nodes, each by the given parts."""
    if treedef is None:
        return None
    return tuple(tuple(part(node) for part in parts.values()) for node in treedef.nodes)


def by(**changed: Any) -> Wrap:
    """Treedefs with some parts compared otherwise; None leaves a part out."""
    parts = {**PARTS, **{name.replace("_", " "): part for name, part in changed.items()}}
    parts = {name: part for name, part in parts.items() if part is not None}
    return lambda treedefs: tuple(nodes(t, parts) for t in treedefs)


TREES: dict[str, Wrap] = {
    "by identity": lambda treedefs: tuple(map(Identity, treedefs)),
    "only the number of leaves": lambda treedefs: tuple(
        t and t.num_leaves for t in treedefs),
    "without the kind of container": by(kind=None),
    "without arity": by(arity=None),
    "without the registered type": by(type=None),
    "without metadata": by(metadata=None),
    "metadata with its type": by(metadata=_data(_typed)),
    "metadata by identity": by(metadata=lambda node: Identity(node.data)),
    "metadata hashed": by(metadata=lambda node: None if node.data is NO_DATA else node.data),
    "metadata without the short cut": by(metadata=_data(
        lambda a, b: (a is NO_DATA) == (b is NO_DATA) and _never_the_same(a, b))),
    "without dict keys": by(dict_keys=None),
    "dict keys by identity": by(dict_keys=lambda node: tuple(map(Identity, node.keys))),
}
"""For fields that are tuples of treedefs (None where an argument is static)."""

TYPE_PARTS = ("shape", "dtype", "weak_type", "mesh", "spec")


def types(**changed: Callable | None) -> Wrap:
    """`ShapedArray`s with some parts compared otherwise; None leaves a part out."""
    parts = {name: (lambda aval, name=name: getattr(aval, name)) for name in TYPE_PARTS}
    parts |= changed
    used = [part for part in parts.values() if part is not None]
    return lambda avals: tuple(tuple(part(a) for part in used) for a in avals)


def _mesh_without(attribute: str) -> Callable:
    kept = [a for a in ("axis_names", "axis_sizes", "axis_types") if a != attribute]
    return lambda aval: aval.mesh and tuple(getattr(aval.mesh, a) for a in kept)


TYPES: dict[str, Wrap] = {
    "without shape": types(shape=None),
    "only the rank": types(shape=lambda aval: len(aval.shape)),
    "only the size": types(shape=lambda aval: aval.size),
    "without dtype": types(dtype=None),
    "only the width of the dtype": types(dtype=lambda aval: aval.dtype.itemsize),
    "without weak type": types(weak_type=None),
    "without the mesh": types(mesh=None),
    "without the spec": types(spec=None),
    "mesh without axis names": types(mesh=_mesh_without("axis_names")),
    "in any order": lambda avals: tuple(sorted(map(repr, avals))),
}
"""For fields that are tuples of `ShapedArray`."""

MESH_TYPES: dict[str, Wrap] = {
    "mesh without axis sizes": types(mesh=_mesh_without("axis_sizes")),
    "mesh without axis types": types(mesh=_mesh_without("axis_types")),
}
