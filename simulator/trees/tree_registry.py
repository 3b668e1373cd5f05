"""One registry: which types are containers, and how to take them apart.

JAX source: `jaxlib/pytree.cc: PyTreeRegistry, PyTreeDef::FlattenImpl,
PyTreeDef::FlattenUpTo`.
"""

from __future__ import annotations

import collections
import types

from simulator.trees.keypaths import DictKey, FlattenedIndexKey, GetAttrKey, SequenceKey
from simulator.trees.treedef import (
    CUSTOM,
    DATACLASS,
    DICT,
    LEAF,
    LIST,
    NAMEDTUPLE,
    NONE,
    TUPLE,
    Node,
    PyTreeDef,
    differ,
)

_ITERATORS = (types.GeneratorType, map, zip, filter, enumerate, type({}.values()),
              type(collections.OrderedDict().values()),
              *(type(iter(empty)) for empty in ([], (), {}, {}.values(), {}.items(), set())))
"""Taking one of these for a leaf is thought to be a mistake. Other iterators are not noticed."""


LEAVES: set[type] = {bool, int, float, complex}
"""Types whose values are leaves at first sight, until a program registers them."""


def _warn_of_iterator(leaf) -> None:
    from simulator import explain, process
    if process.running():
        explain.python_warning(
            "DeprecationWarning", f"Python iterable type {type(leaf).__name__!r} is treated as a "
            "leaf in PyTree. Use is_leaf to suppress this warning if you want this behavior. In "
            "a future version of JAX, this will become an error.")


class Registration:
    """How one registered type is flattened. Compared by identity."""

    __slots__ = ("kind", "type", "flatten", "unflatten", "with_keys", "data_fields",
                 "meta_fields")

    def __init__(self, kind, type, flatten=None, unflatten=None, with_keys=None,
                 data_fields=(), meta_fields=()):
        self.kind, self.type, self.flatten, self.unflatten = kind, type, flatten, unflatten
        self.with_keys, self.data_fields, self.meta_fields = with_keys, data_fields, meta_fields

    def take_apart(self, value):
        """(children, metadata); ValueError when the flatten function answers nonsense."""
        if self.kind == DATACLASS:
            return ([getattr(value, n) for n in self.data_fields],
                    tuple(getattr(value, n) for n in self.meta_fields))
        out = self.flatten(value)
        if not isinstance(out, tuple) or len(out) != 2:
            raise ValueError("The to_iterable function for a custom PyTree node should return a "
                             f"(children, aux_data) tuple, got {out!r}")
        if not hasattr(out[0], "__iter__"):
            raise ValueError("The to_iterable function for a custom PyTree node should return a "
                             "(children, aux_data) tuple where 'children' is iterable, "
                             f"got {out!r}")
        return out

    def take_apart_with_keys(self, value):
        """([(key, child), …], metadata)."""
        if self.kind == DATACLASS:
            children, meta = self.take_apart(value)
            return list(zip(map(GetAttrKey, self.data_fields), children)), meta
        if self.with_keys is None:
            children, meta = self.take_apart(value)
            return [(FlattenedIndexKey(i), c) for i, c in enumerate(children)], meta
        out = self.with_keys(value)
        if not isinstance(out, tuple) or len(out) != 2:
            raise ValueError("The to_iterable_with_keys function for a custom PyTree node should "
                             f"return a (key_leaf_pairs, aux_data) tuple, got {out!r}")
        if not hasattr(out[0], "__iter__"):
            raise ValueError("The to_iterable_with_keys function for a custom PyTree node should "
                             "return a (key_leaf_pairs, aux_data) tuple where 'key_leaf_pairs' "
                             f"is iterable, got {out!r}")
        pairs = list(out[0])
        for pair in pairs:
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise ValueError("The to_iterable_with_keys function for a custom PyTree node "
                                 "should return a (key_leaf_pairs, aux_data) tuple where "
                                 f"'child{pair!r}")
        return pairs, out[1]


def sorted_keys(value: dict) -> list:
    """The dict's keys in order of ``<``; ValueError when they cannot be ordered."""
    try:
        return sorted(value)
    except Exception as error:
        raise ValueError("Comparator raised exception while sorting pytree dictionary "
                         "keys.") from error


def _namedtuple_keys(value) -> list:
    fields = value._fields
    if not isinstance(fields, tuple) or len(fields) != len(value):
        raise ValueError("A namedtuple's _fields attribute should have the same size as the "
                         "tuple.")
    return [GetAttrKey(str(f)) for f in fields]


_ONE = Node(LEAF, num_leaves=1)


class Registry:
    """A set of container types.

    ``none_is_node`` False makes None a leaf (JAX's `none_leaf_registry`). `leaf_types`: types
    that are known to be leaves; `leaf`: the tree that is only one; `none`: that of None."""

    def __init__(self, name: str, none_is_node: bool = True):
        self.name = name
        self._kinds = {tuple: TUPLE, list: LIST, dict: DICT}
        if none_is_node:
            self._kinds[type(None)] = NONE
        self._custom: dict[type, Registration] = {}
        self.leaf_types = LEAVES
        self.leaf = PyTreeDef(self, [_ONE])
        self.none = PyTreeDef(self, [Node(NONE)]) if none_is_node else self.leaf

    def __repr__(self):
        return f"<Registry {self.name}>"

    def register(self, registration: Registration) -> None:
        """Add a type. ValueError when it is known already."""
        cls = registration.type
        if cls in self._custom or cls in self._kinds:
            what = "custom dataclass" if registration.kind == DATACLASS else "custom"
            raise ValueError(f"Duplicate {what} PyTreeDef type registration for {cls!r}.")
        self._custom[cls] = registration
        self.leaf_types = LEAVES - self._custom.keys()

    def copy_into(self, other: Registry) -> None:
        """Gives `other` every registered type this one has."""
        other._custom.update(self._custom)
        other.leaf_types = LEAVES - other._custom.keys()

    def is_node(self, cls: type) -> bool:
        """Whether values of a type have children."""
        return (cls in self._kinds or cls in self._custom
                or (issubclass(cls, tuple) and hasattr(cls, "_fields")))

    def _kind(self, value):
        cls = type(value)
        kind = self._kinds.get(cls)
        if kind:
            return kind, None
        registration = self._custom.get(cls)
        if registration:
            return registration.kind, registration
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return NAMEDTUPLE, None
        return LEAF, None

    def _open(self, value, with_keys: bool):
        """(node without counts, children as values or as (key, value) pairs)."""
        kind, reg = self._kind(value)
        if kind == LEAF:
            return None, None
        if kind in (TUPLE, LIST):
            node, children = Node(kind, len(value)), value
            keys = map(SequenceKey, range(len(value))) if with_keys else None
        elif kind == DICT:
            names = sorted_keys(value)
            node, children = Node(kind, len(names), keys=names), [value[n] for n in names]
            keys = map(DictKey, names) if with_keys else None
        elif kind == NONE:
            return Node(kind), ()
        elif kind == NAMEDTUPLE:
            node, children = Node(kind, len(value), data=type(value)), value
            keys = _namedtuple_keys(value) if with_keys else None
        elif with_keys:
            pairs, meta = reg.take_apart_with_keys(value)
            return Node(kind, len(pairs), data=meta, reg=reg), pairs
        else:
            children, meta = reg.take_apart(value)
            children = list(children)
            return Node(kind, len(children), data=meta, reg=reg), children
        return node, list(zip(keys, children)) if with_keys else children

    def _flatten(self, value, leaves, nodes, is_leaf, path):
        if is_leaf is None and type(value) in self.leaf_types:
            leaves.append(value if path is None else (path, value))
            nodes.append(_ONE)
            return
        if is_leaf is not None:
            answer = is_leaf(value) if path is None else is_leaf(path, value)
            if answer is not None and not isinstance(answer, bool):
                raise ValueError("is_leaf predicate returned a non-boolean value "
                                 f"{answer!r}; expected a boolean")
        else:
            answer = False
        node, children = (None, None) if answer else self._open(value, path is not None)
        if node is None:
            if not answer and isinstance(value, _ITERATORS):
                _warn_of_iterator(value)
            leaves.append(value if path is None else (path, value))
            nodes.append(_ONE)
            return
        leaves_before, nodes_before = len(leaves), len(nodes)
        if path is None:
            for child in children:
                self._flatten(child, leaves, nodes, is_leaf, None)
        else:
            for key, child in children:
                self._flatten(child, leaves, nodes, is_leaf, (*path, key))
        node.num_leaves = len(leaves) - leaves_before
        node.num_nodes = len(nodes) - nodes_before + 1
        nodes.append(node)

    def flatten(self, tree, is_leaf=None, *, with_path: bool = False):
        """(leaves, PyTreeDef). With `with_path` each leaf is (path, leaf).

        Runs flatten functions of registered types, sorts dict keys; raises
        what they raise, and ValueError for unorderable keys."""
        if is_leaf is None and type(tree) in self.leaf_types:
            return [((), tree) if with_path else tree], self.leaf
        if is_leaf is None and tree is None and self.none is not self.leaf:
            return [], self.none
        if is_leaf is None and not with_path and self._kind(tree)[0] == LEAF:
            if isinstance(tree, _ITERATORS):
                _warn_of_iterator(tree)
            return [tree], self.leaf
        leaves, nodes = [], []
        try:
            self._flatten(tree, leaves, nodes, is_leaf, () if with_path else None)
        except RecursionError:
            raise RecursionError("maximum recursion depth exceeded in flatten; PyTree may have "
                                 "cyclical node references.") from None
        return leaves, PyTreeDef(self, nodes)

    def flatten_one_level(self, value, with_keys: bool = False):
        """(children, metadata), or None for a leaf."""
        node, children = self._open(value, with_keys)
        if node is None:
            return None
        if node.kind == DICT:
            return tuple(children), tuple(node.keys)
        if node.kind in (TUPLE, LIST, NONE):
            return children, None
        return list(children), node.data

    def children_matching(self, node: Node, value) -> list:
        """Children of `value`, which must be a container like `node` (flatten_up_to)."""
        kind = node.kind
        if kind == NONE:
            if value is not None:
                raise ValueError(f"Expected None, got {value!r}.\n\nJAX does not take None as a "
                                 "prefix of other values.")
            return []
        if kind in (TUPLE, LIST):
            name = kind
            if type(value) is not {TUPLE: tuple, LIST: list}[kind]:
                raise ValueError(f"Expected {name}, got {value!r}.")
            if len(value) != node.arity:
                raise ValueError(f"{name.capitalize()} arity mismatch: {len(value)} != "
                                 f"{node.arity}; {name}: {value!r}.")
            return list(value)
        if kind == DICT:
            if type(value) is not dict:
                raise ValueError(f"Expected dict, got {value!r}.")
            names = sorted_keys(value)
            if len(names) != node.arity or any(map(differ, names, node.keys)):
                raise ValueError(f"Dict key mismatch; expected keys: {list(node.keys)}; "
                                 f"present keys: {names}.")
            return [value[n] for n in names]
        if kind == NAMEDTUPLE:
            if not isinstance(value, tuple) or not hasattr(value, "_fields"):
                raise ValueError(f"Expected named tuple, got {value!r}.")
            if len(value) != node.arity:
                raise ValueError(f"Named tuple arity mismatch: {len(value)} != {node.arity}; "
                                 f"tuple: {value!r}.")
            if type(value) is not node.data:
                raise ValueError(f"Named tuple type mismatch: expected type: {node.data!r}, "
                                 f"tuple: {value!r}.")
            return list(value)
        return self._registered_children(node, value)

    def _registered_children(self, node: Node, value) -> list:
        word = "Custom" if node.kind == CUSTOM else "Custom dataclass"
        if self._custom.get(type(value)) is not node.reg:
            raise ValueError(f"{word} node type mismatch: expected type: {node.reg.type!r}, "
                             f"value: {value!r}.")
        children, meta = node.reg.take_apart(value)
        if differ(node.data, meta):
            raise ValueError(f"Mismatch {word.lower()} node data: {node.data!r} != {meta!r}; "
                             f"value: {value!r}.")
        children = list(children)
        if len(children) != node.arity:
            raise ValueError(f"Custom type arity mismatch: {len(children)} != {node.arity}; "
                             f"value: {value!r}.")
        return children
