"""Where two pytrees differ, in JAX's words; and broadcasting a prefix tree.

Used for `tree_map` errors, for `in_shardings` prefixes, and by the explainer
of tracing-cache misses (`equality_errors_pytreedef`).

JAX source: `jax/_src/tree_util.py: _prefix_error,
_equality_errors, broadcast_prefix`; `jax/_src/api_util.py: flatten_axes,
flatten_axis_resources`.
"""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Iterator

from simulator.trees.keypaths import keystr
from simulator.trees.treedef import PyTreeDef


def _is_leaf(registry, tree, is_leaf=None) -> bool:
    treedef = registry.flatten(tree, is_leaf)[1]
    return treedef.num_nodes == 1 and treedef.num_leaves == 1


def _open(registry, tree):
    """(keys, children, metadata) of the root."""
    children, meta = registry.flatten_one_level(tree)
    keys = tuple(k for k, _ in registry.flatten_one_level(tree, with_keys=True)[0])
    return keys, tuple(children), meta


def prefix_errors(registry, prefix, full, is_leaf=None, path=()) -> Iterator:
    """Functions ``name -> ValueError``, one per place where `prefix` is no prefix of `full`."""
    if _is_leaf(registry, prefix, is_leaf):
        return

    def error(what: str, mine: str, theirs: str):
        return lambda name: ValueError(
            f"pytree structure error: {what} at key path\n    {name}{keystr(path)}\n"
            f"At that key path, the prefix pytree {name} has a subtree of type{mine}{theirs}")

    kind = type(prefix)
    if kind is not type(full):
        yield error("different types", f"\n    {kind}\n", "but at the same key path the full pytree "
                    f"has a subtree of different type\n    {type(full)}.")
        return
    if isinstance(prefix, (list, tuple)) and len(prefix) != len(full):
        yield error(f"different lengths of {kind.__name__}",
                    f" {kind.__name__} of length {len(prefix)}, ",
                    "but the full pytree has a subtree of the same type but of length "
                    f"{len(full)}.")
        return
    keys, children, meta = _open(registry, prefix)
    full_keys, full_children, full_meta = _open(registry, full)
    same = "but at the same key path the full pytree has a subtree of the same type but with "
    if len(children) != len(full_children):
        yield error("different numbers of pytree children",
                    f"\n    {kind}\nwith {len(children)} child keys\n    {_words(keys)}\n",
                    f"{same}{len(full_children)} child keys\n    {_words(full_keys)}\n"
                    + _symmetric_difference(keys, full_keys))
        return
    if meta != full_meta:
        lines = "\n".join(difflib.ndiff(str(meta).splitlines(), str(full_meta).splitlines()))
        yield error("different pytree metadata",
                    f"\n    {kind}\nwith metadata\n    {meta}\n",
                    f"{same}metadata\n    {full_meta}\nso the diff in the metadata at these pytree "
                    f"nodes is\n{textwrap.indent(lines, '    ')}")
        return
    for key, a, b in zip(keys, children, full_children):
        yield from prefix_errors(registry, a, b, None, (*path, key))


def _words(keys) -> str:
    return " ".join(map(str, keys))


def _symmetric_difference(keys, others) -> str:
    try:
        different = set(keys).symmetric_difference(others)
    except Exception:   # unhashable: JAX then says nothing
        return ""
    return f"so the symmetric difference on key sets is\n    {_words(different)}"


def broadcast_prefix(registry, prefix, full, is_leaf=None) -> list:
    """The leaves of `prefix`, each repeated for every leaf of `full` below it.

    Raises ValueError when `prefix` is not a prefix of `full`."""
    leaves, treedef = registry.flatten(prefix, is_leaf)
    try:
        subtrees = treedef.flatten_up_to(full)
    except ValueError:
        raise next(prefix_errors(registry, prefix, full))("broadcast_prefix prefix_tree") from None
    out = []
    for leaf, subtree in zip(leaves, subtrees):
        out.extend([leaf] * registry.flatten(subtree)[1].num_leaves)
    return out


def _broadcast(leaves: list, prefix: PyTreeDef, full: PyTreeDef) -> list:
    if prefix.num_nodes == 1 and prefix.num_leaves == 1:
        return leaves * full.num_leaves
    if full.num_nodes == 1 and full.num_leaves == 1:
        raise ValueError("not a prefix: a leaf where the prefix has a container")
    if prefix.node_data() != full.node_data():
        raise ValueError(f"expected {full.node_data()}, got {prefix.node_data()}")
    ours, theirs = prefix.children(), full.children()
    if len(ours) != len(theirs):
        raise ValueError("not a prefix: different numbers of children")
    out, start = [], 0
    for a, b in zip(ours, theirs):
        out.extend(_broadcast(leaves[start:start + a.num_leaves], a, b))
        start += a.num_leaves
    return out


class _Leaf:
    def __repr__(self):
        return "pytree leaf"


def _dummy(treedef: PyTreeDef):
    return treedef.unflatten([_Leaf()] * treedef.num_leaves)


def flatten_axes(registries, name: str, treedef: PyTreeDef, axis_tree, *,
                 tupled_args: bool = False, kws: bool = False) -> list:
    """One spec per leaf of `treedef`, from the prefix tree `axis_tree` (None is a leaf).

    With `kws`, both are pairs for positional and keyword arguments; the error is about
    the positional ones. Raises ValueError when it is no prefix."""
    leaves, axis_treedef = registries.none_leaf.flatten(axis_tree)
    try:
        return _broadcast(leaves, axis_treedef, treedef)
    except ValueError:
        pass
    if kws:
        treedef, axis_tree = treedef.children()[0], axis_tree[0]
    hint = ""
    if tupled_args:
        hint = (f" Note that {name} that are non-trivial pytrees should always be wrapped in a "
                "tuple representing the argument list.")
        if len(treedef.children()) == 1 and _fits(registries, name, treedef, (axis_tree,)):
            hint += (f" In particular, you're passing in a single argument which means that "
                     f"{name} might need to be wrapped in a singleton tuple.")
    errors = _must_find(registries, axis_tree, treedef)
    details = "\n  ".join(e(name).args[0] for e in errors)
    raise ValueError(f"{name} specification must be a tree prefix of the corresponding value; "
                     f"{hint}\n  Mismatch details ({len(errors)} found):\n  {details}")


def _must_find(registries, prefix, treedef: PyTreeDef) -> list:
    errors = list(prefix_errors(registries.default, prefix, _dummy(treedef)))
    if not errors:   # for example None where the full tree has a container
        raise AssertionError("unreachable code")
    return errors


def _fits(registries, name, treedef, axis_tree) -> bool:
    try:
        flatten_axes(registries, name, treedef, axis_tree)
    except ValueError:
        return False
    return True


def flatten_axis_resources(registries, what: str, treedef: PyTreeDef, shardings,
                           tupled_args: bool) -> tuple:
    """As `flatten_axes`, for `jax.jit(in_shardings=…)`: a clearer first line on errors."""
    try:
        return tuple(flatten_axes(registries, what, treedef, shardings, tupled_args=tupled_args))
    except ValueError:
        pass
    if registries.default.flatten(shardings)[1].num_nodes == 1:
        raise AssertionError   # for example in_shardings=(): JAX fails on an assert here
    n_args = len(treedef.children())
    if tupled_args and (type(shardings) is not tuple or len(shardings) != n_args):
        text = (f"{what} specification must be a tree prefix of the positional arguments tuple. "
                f"In particular, {what} must either be a Sharding, a PartitionSpec, or a tuple "
                "of length equal to the number of positional arguments.")
        if type(shardings) is not tuple:
            text += f" But {what} is not a tuple: got {type(shardings)} instead."
        else:
            text += (f" But {what} is the wrong length: got a tuple or list of length "
                     f"{len(shardings)} for an args tuple of length {n_args}.")
        if n_args == 1 and _fits(registries, what, treedef, (shardings,)):
            text += (f" Given the corresponding argument being passed, it looks like {what} "
                     "might need to be wrapped in a singleton tuple.")
        raise ValueError(text)
    errors = _must_find(registries, shardings, treedef)
    details = "\n".join(e(what).args[0] for e in errors)
    raise ValueError(f"Mismatch details ({len(errors)} found):\n{details}")


def equality_errors(registry, tree1, tree2, is_leaf=None, path=()) -> Iterator:
    """(path, what tree1 has, what tree2 has, the difference) for each differing place.

    The three texts are word for word those of JAX: the cache-miss log prints them."""
    if _is_leaf(registry, tree1, is_leaf) and _is_leaf(registry, tree2, is_leaf):
        return
    kind1, kind2 = type(tree1), type(tree2)
    if kind1 is not kind2:
        yield path, str(kind1), str(kind2), "their Python types differ"
        return
    if isinstance(tree1, (list, tuple)) and len(tree1) != len(tree2):
        yield (path, f"{kind1.__name__} of length {len(tree1)}",
               f"{kind2.__name__} of length {len(tree2)}", "the lengths do not match")
        return
    keys1, children1, meta1 = _open(registry, tree1)
    keys2, children2, meta2 = _open(registry, tree2)
    if len(children1) != len(children2):
        yield (path, *(f"{kind1} with {len(c)} child{'ren' if len(c) > 1 else ''}"
                       for c in (children1, children2)),
               "the numbers of children do not match" + _key_difference(keys1, keys2))
        return
    if meta1 != meta2:
        yield (path, f"{kind1} with pytree metadata {meta1}",
               f"{kind2} with pytree metadata {meta2}", "the pytree node metadata does not match")
        return
    for key, a, b in zip(keys1, children1, children2):
        yield from equality_errors(registry, a, b, is_leaf, (*path, key))


def _key_difference(keys1, keys2) -> str:
    try:
        # JAX prints a set, in any order; recordings have it sorted.
        names = " ".join(sorted(repr(k.key) for k in set(keys1).symmetric_difference(keys2)))
    except Exception:   # keys without .key, or unhashable: JAX then says nothing
        return ""
    return names and f", with the symmetric difference of key sets: {{{names}}}"


class _LeafType(type):
    def __repr__(cls):
        return "pytree leaf"


class Leaf(metaclass=_LeafType):
    """A leaf whose type prints as "pytree leaf", for the texts of `equality_errors`."""


def equality_errors_pytreedef(registry, treedef1: PyTreeDef, treedef2: PyTreeDef) -> Iterator:
    """`equality_errors` for two structures without their leaves."""
    leaf = Leaf()
    return equality_errors(registry, treedef1.unflatten([leaf] * treedef1.num_leaves),
                           treedef2.unflatten([leaf] * treedef2.num_leaves))
