"""Pytrees for programs: `jax.tree_util`, on the registries of the current process.

The structures are in `simulator.trees.treedef`, the registries in
`simulator.trees.registries`, the error texts in `simulator.trees.tree_errors`.

JAX source: `jax/_src/tree_util.py`.
"""

from __future__ import annotations

import functools
import operator

from simulator.errors import OutOfScope
from simulator.trees.keypaths import DictKey, FlattenedIndexKey, GetAttrKey, SequenceKey, keystr  # noqa: F401
from simulator.trees.registries import (  # noqa: F401
    Partial,
    Registries,
    current,
    register_for_all,
    register_only,
    use,
    using,
    without_keys,
)
from simulator.trees.treedef import PyTreeDef
from simulator.trees.treedef import treedef_tuple as _treedef_tuple

# --- registration, as programs call it ------------------------------------

def register_pytree_node(nodetype, flatten_func, unflatten_func, flatten_with_keys_func=None):
    """Makes `nodetype` a container. ValueError when it already is one; TypeError for what is
    no function."""
    with_keys = [] if flatten_with_keys_func is None else [flatten_with_keys_func]
    if not all(map(callable, (flatten_func, unflatten_func, *with_keys))):
        raise TypeError("register_node(): incompatible function arguments. The following argument "
                        "types are supported:")
    current().register(nodetype, _alone(flatten_func), unflatten_func, *map(_alone, with_keys))


def _alone(flatten):
    """A flatten function that is refused when it computes in the middle of a call.

    Simplified: JAX's Python path takes arguments apart more often than the model does (for
    names of arguments, for explanations). That shows where taking apart asks caches itself.
    """
    @functools.wraps(flatten)
    def flattened(value):
        from simulator import process
        here = process.current() if process.running() else None
        if here is None or not here.thread.depth:
            return flatten(value)
        before = len(here.recorder.events)
        found = flatten(value)
        if len(here.recorder.events) > before:
            raise OutOfScope("a flatten function that computes with jax",
                             "let it hand out what the object holds")
        return found
    return flattened


def register_pytree_node_class(cls):
    """Class decorator: methods `tree_flatten` and `tree_unflatten`."""
    register_pytree_node(cls, operator.methodcaller("tree_flatten"), cls.tree_unflatten)
    return cls


def register_pytree_with_keys(nodetype, flatten_with_keys, unflatten_func, flatten_func=None):
    """As `register_pytree_node`, with a name for each child."""
    register_pytree_node(nodetype, flatten_func or without_keys(flatten_with_keys),
                         unflatten_func, flatten_with_keys)


def register_pytree_with_keys_class(cls):
    """Class decorator: `tree_flatten_with_keys`, `tree_unflatten`, maybe `tree_flatten`."""
    flatten = operator.methodcaller("tree_flatten") if hasattr(cls, "tree_flatten") else None
    register_pytree_with_keys(cls, operator.methodcaller("tree_flatten_with_keys"),
                              cls.tree_unflatten, flatten)
    return cls


def register_static(cls):
    """Makes instances of `cls` containers without children: the object is the metadata."""
    register_pytree_with_keys(cls, lambda obj: ((), obj), lambda obj, children: obj)
    return cls


def register_dataclass(nodetype, data_fields=None, meta_fields=None, drop_fields=()):
    """Makes a dataclass (or any class with such fields) a container.

    Without field lists, fields with ``metadata=dict(static=True)`` are metadata
    and the others children. TypeError or ValueError for inconsistent lists."""
    import dataclasses
    if data_fields is None or meta_fields is None:
        if (data_fields is None) != (meta_fields is None):
            raise TypeError("register_dataclass: data_fields and meta_fields must both be "
                            f"specified when either is specified. Got {data_fields=} "
                            f"{meta_fields=}.")
        if not dataclasses.is_dataclass(nodetype):
            raise TypeError("register_dataclass: data_fields and meta_fields are required when "
                            f"nodetype is not a dataclass. Got {nodetype=}.")
        fields = [f for f in dataclasses.fields(nodetype) if f.name not in drop_fields]
        data_fields = [f.name for f in fields if not f.metadata.get("static", False)]
        meta_fields = [f.name for f in fields if f.metadata.get("static", False)]
    data_fields, meta_fields = tuple(data_fields), tuple(meta_fields)
    given = {*data_fields, *meta_fields}
    if dataclasses.is_dataclass(nodetype):
        init = {f.name for f in dataclasses.fields(nodetype) if f.init} - set(drop_fields)
        if given != init:
            text = ("data_fields and meta_fields must include all dataclass fields with "
                    "``init=True`` and only them.")
            if missing := init - given:
                text += (f" Missing fields: {missing}. Add them to drop_fields to suppress this "
                         "error.")
            if unexpected := given - init:
                text += f" Unexpected fields: {unexpected}."
            raise ValueError(text)
    if overlap := set(data_fields) & set(meta_fields):
        raise ValueError("data_fields and meta_fields must not overlap. Overlapping fields: "
                         f"{overlap}.")
    current().register_dataclass(nodetype, data_fields, meta_fields)
    return nodetype


# --- functions on trees ----------------------------------------------------

def tree_flatten(tree, is_leaf=None):
    """(leaves, PyTreeDef)."""
    return current().default.flatten(tree, is_leaf)


def tree_unflatten(treedef: PyTreeDef, leaves):
    """The tree of this structure with these leaves. ValueError for another number of them."""
    return treedef.unflatten(leaves)


def tree_leaves(tree, is_leaf=None) -> list:
    """The leaves, from left to right."""
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree, is_leaf=None) -> PyTreeDef:
    """The structure without the leaves."""
    return tree_flatten(tree, is_leaf)[1]


def _map(name, leaf_lists, f, treedef, tree, rest, is_leaf):
    failing = None
    try:
        for failing in rest:
            leaf_lists.append(treedef.flatten_up_to(failing))
    except Exception as error:
        from simulator.trees import tree_errors
        better = next(tree_errors.prefix_errors(current().default, tree, failing, is_leaf), None)
        raise (better(f"{name} tree") if better else error) from None
    return treedef.unflatten(f(*xs) for xs in zip(*leaf_lists))


def tree_map(f, tree, *rest, is_leaf=None):
    """`f` on every leaf of `tree` and on what sits at the same place in `rest`."""
    leaves, treedef = tree_flatten(tree, is_leaf)
    return _map("tree_map", [leaves], f, treedef, tree, rest, is_leaf)


def tree_map_with_path(f, tree, *rest, is_leaf=None, is_leaf_takes_path=False):
    """As `tree_map`; `f` also gets the path first."""
    pairs, treedef = tree_flatten_with_path(tree, is_leaf, is_leaf_takes_path)
    lists = [list(column) for column in zip(*pairs)]
    return _map("tree_map_with_path", lists, f, treedef, tree, rest, is_leaf)


def tree_flatten_with_path(tree, is_leaf=None, is_leaf_takes_path=False):
    """([(path, leaf), …], PyTreeDef)."""
    if is_leaf is not None and not is_leaf_takes_path:
        plain = is_leaf
        is_leaf = lambda _, x: plain(x)   # noqa: E731
    return current().default.flatten(tree, is_leaf, with_path=True)


def tree_leaves_with_path(tree, is_leaf=None, is_leaf_takes_path=False) -> list:
    """Pairs (key path, leaf), from left to right."""
    return tree_flatten_with_path(tree, is_leaf, is_leaf_takes_path)[0]


def tree_all(tree, *, is_leaf=None) -> bool:
    """Whether all leaves are true."""
    return all(tree_leaves(tree, is_leaf))


_NOTHING = object()


def tree_reduce(function, tree, initializer=_NOTHING, is_leaf=None):
    """Combine the leaves from left to right, beginning with `initializer` when given."""
    leaves = tree_leaves(tree, is_leaf)
    return functools.reduce(function, leaves, *(() if initializer is _NOTHING else (initializer,)))


def tree_reduce_associative(operation, tree, *, identity=_NOTHING, is_leaf=None):
    """Reduces by halves. TypeError for no leaves and no identity."""
    def reduce(xs):
        if len(xs) == 1:
            return xs[0]
        half = len(xs) // 2
        left, right = reduce(xs[:half]), reduce(xs[half:])
        return operation(left, right)
    leaves = tree_leaves(tree, is_leaf)
    if leaves:
        return reduce(leaves)
    if identity is _NOTHING:
        raise TypeError("Must specify identity for parallel reduction of empty sequence.")
    return identity


def tree_transpose(outer_treedef, inner_treedef, pytree_to_transpose):
    """A tree of trees, turned inside out. TypeError when the sizes do not fit."""
    flat, treedef = tree_flatten(pytree_to_transpose)
    if inner_treedef is None:
        inner_treedef = tree_structure(outer_treedef.flatten_up_to(pytree_to_transpose)[0])
    n_in, n_out = inner_treedef.num_leaves, outer_treedef.num_leaves
    if treedef.num_leaves != n_in * n_out:
        raise TypeError(f"Mismatch\n{treedef}\n != \n{outer_treedef.compose(inner_treedef)}")
    rows = [flat[i * n_in:(i + 1) * n_in] for i in range(n_out)]
    return inner_treedef.unflatten(outer_treedef.unflatten(column) for column in zip(*rows))


def tree_broadcast(prefix_tree, full_tree, is_leaf=None):
    """A tree like `full_tree`, with the leaves of the prefix repeated. ValueError when it
    is no prefix."""
    return tree_structure(full_tree).unflatten(broadcast_prefix(prefix_tree, full_tree, is_leaf))


def broadcast_prefix(prefix_tree, full_tree, is_leaf=None) -> list:
    """The leaves of the prefix, each as often as `full_tree` has leaves there. ValueError
    when it is no prefix."""
    from simulator.trees import tree_errors
    return tree_errors.broadcast_prefix(current().default, prefix_tree, full_tree, is_leaf)


def treedef_tuple(treedefs) -> PyTreeDef:
    """The structure of a tuple of trees of these structures."""
    return _treedef_tuple(current().default, treedefs)


def treedef_children(treedef: PyTreeDef) -> list[PyTreeDef]:
    """Structures of the direct children."""
    return treedef.children()


def treedef_is_leaf(treedef: PyTreeDef) -> bool:
    """Whether the structure is one leaf."""
    return treedef.num_nodes == 1


def all_leaves(iterable, is_leaf=None) -> bool:
    """Whether none of the items has children."""
    items = list(iterable)
    if is_leaf is None:
        return not any(current().default.is_node(type(x)) for x in items)
    leaves = tree_leaves(items, is_leaf)
    return len(leaves) == len(items) and all(a is b for a, b in zip(items, leaves))


def is_tree_node(cls: type) -> bool:
    """Whether values of a type have children in the default registry."""
    return current().default.is_node(cls)
