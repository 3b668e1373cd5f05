"""The arguments of a call, as the caches see them.

`ArgumentSignature` is what the fast path and the params cache compare;
`FlatCall` is what the tracing cache compares. Both know the structure and the
static values; the types of the leaves are compared beside the first and inside
the second.

JAX source: `jaxlib/jax_jit.cc: ArgumentSignature, ParseArguments`;
`jax/_src/flattree.py`; `jax/_src/api_util.py: donation_vector, debug_info`.
"""

from __future__ import annotations

from simulator.functions.function_info import (  # noqa: F401
    arg_names,
    check_callable,
    clean_keystr,
    ensure_inbounds,
    fun_name,
    fun_sourceinfo,
    index_tuple,
    resolve_argnums,
    source_parts,
)
from simulator.functions.parameters import parameters
from simulator.jaxprs.jaxpr import DebugInfo
from simulator.named_tuples import NamedTuple
from simulator.trees import pytrees
from simulator.trees.treedef import PyTreeDef, treedef_dict, treedef_list, treedef_tuple


class ArgumentSignature(NamedTuple):
    """Structure, names and static values of one call.

    Args:
      treedefs: one per dynamic argument, positional ones first.
      names, static_names: of the dynamic and the static keyword arguments, sorted.
      static_args: a `Static` per static argument, positional ones first.

    Comparing and hashing can raise, see `Static`. Metadata inside trees is
    compared, but not hashed.
    """

    treedefs: tuple
    names: tuple
    static_args: tuple
    static_names: tuple


class Static:
    """A static value in a signature: ``type(a) is type(b) and (a is b or a == b)``.

    ValueError from the hash when the value has none, from ``==`` when the values
    cannot be compared.
    """

    __slots__ = ("value", "_hash")

    def __init__(self, value):
        self.value, self._hash = value, None

    def __hash__(self):
        if self._hash is None:   # a program's own __hash__ runs once per call, as in C++
            self._hash = _static_hash(self.value)
        return self._hash

    def __eq__(self, other):
        return _static_equal(self.value, other.value)


def _static_hash(value) -> int:
    try:
        return hash(value)
    except TypeError as error:
        raise ValueError(
            "Non-hashable static arguments are not supported. An error occurred while trying to "
            f"hash an object of type {type(value)}, {value!s}. The error was:\n"
            f"TypeError: {error}\n") from error


def _static_equal(a, b) -> bool:
    if type(a) is not type(b):
        return False
    try:
        return a is b or bool(a == b)
    except Exception as error:
        raise ValueError(
            "static arguments should be comparable using __eq__.The following error was raised "
            f"when comparing two objects of types {type(a)} and {type(b)}. The error was:\n"
            f"{type(error).__name__}: {error}") from error


def parse_arguments(args, kwargs, static_argnums, static_argnames, registry
                    ) -> tuple[tuple, list]:
    """(fields of an `ArgumentSignature`, dynamic leaves): positional leaves first, then
    keywords by name.

    Numbers may be negative; those out of range are ignored. Raises what flatten
    functions raise."""
    if not static_argnums and not kwargs:
        trees, leaves = _flattened(args, registry)
        return (trees, (), (), ()), leaves
    fixed = {i if i >= 0 else i + len(args) for i in static_argnums}
    names, static_names, statics, dynamic = [], [], [], list(args)
    if fixed:
        statics = [value for i, value in enumerate(args) if i in fixed]
        dynamic = [value for i, value in enumerate(args) if i not in fixed]
    for name in sorted(kwargs):
        static = name in static_argnames
        (static_names if static else names).append(name)
        (statics if static else dynamic).append(kwargs[name])
    trees, leaves = _flattened(dynamic, registry)
    return (trees, tuple(names), tuple(map(Static, statics)), tuple(static_names)), leaves


def _flattened(values, registry) -> tuple[tuple, list]:
    """(a tree for each value, the leaves of all)."""
    if registry.leaf_types.issuperset(map(type, values)):      # nearly always
        return (registry.leaf,) * len(values), list(values)
    trees, leaves = [], []
    for value in values:
        flat, tree = registry.flatten(value)
        trees.append(tree)
        leaves += flat
    return tuple(trees), leaves


class TracedStatic:
    """A static value in a tracing key: same type and ``==``, no identity short cut."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return type(self.value) is type(other.value) and bool(self.value == other.value)

    def __hash__(self):
        return hash(self.value)


class FlatCall(NamedTuple):
    """(args, kwargs) taken apart: per argument a static value or a tree with leaves.

    Args:
      trees: one per argument, positional first: a `PyTreeDef`, or None for a static one.
      keywords: names of the keyword arguments, sorted; they are the last trees.
      leaves: all leaves in order (arguments, or their types for a cache key).
      statics: a `TracedStatic` per static argument, in order.
      listed: whether the positional arguments came as a list, which is another structure.
    """

    trees: tuple
    keywords: tuple
    leaves: tuple
    statics: tuple
    listed: bool = False

    def with_leaves(self, leaves) -> FlatCall:
        """The same call with other leaves."""
        return FlatCall(self.trees, self.keywords, tuple(leaves), self.statics, self.listed)

    def _tree(self, static) -> PyTreeDef:
        registry = self._registry()
        n = len(self.trees) - len(self.keywords)
        kept = [static if t is None else t for t in self.trees]
        args = [t for t in kept[:n] if t is not None]
        pairs = [(k, t) for k, t in zip(self.keywords, kept[n:]) if t is not None]
        return treedef_tuple(registry, [
            (treedef_list if self.listed else treedef_tuple)(registry, args),
            treedef_dict(registry, [k for k, _ in pairs], [t for _, t in pairs])])

    def _registry(self):
        return next((t.registry for t in self.trees if t is not None),
                    pytrees.current().tracing)

    @property
    def tree(self) -> PyTreeDef:
        """Structure of (args, kwargs) without the static arguments."""
        return self._tree(None)

    @property
    def tree_with_statics(self) -> PyTreeDef:
        """As `tree`, with an empty node (None) where a static argument is."""
        return self._tree(self._registry().flatten(None)[1])

    @property
    def tree_with_static_trees(self) -> PyTreeDef:
        """As `tree`, with a leaf where a static argument is, and for one passed by name its
        own structure: what explanations compare, and how JAX's key prints."""
        registry, statics = self._registry(), iter(self.statics)
        first_keyword = len(self.trees) - len(self.keywords)
        return self._replace(trees=tuple(
            tree if tree is not None else
            _tree_of(next(statics).value if i >= first_keyword else (next(statics), 0)[1], registry)
            for i, tree in enumerate(self.trees)))._tree(None)

    def unflatten(self, leaf=None) -> tuple[tuple, dict]:
        """(args, kwargs) back, with `leaf(x)` for every leaf x; keywords sorted by name."""
        values = [x if leaf is None else leaf(x) for x in self.leaves]
        statics = iter(self.statics)
        out, start = [], 0
        for tree in self.trees:
            if tree is None:
                out.append(next(statics).value)
                continue
            end = start + tree.num_leaves
            out.append(tree.unflatten(values[start:end]))
            start = end
        n = len(self.trees) - len(self.keywords)
        return tuple(out[:n]), dict(zip(self.keywords, out[n:]))


def _tree_of(value, registry) -> PyTreeDef:
    try:
        return registry.flatten(value)[1]
    except Exception:
        return registry.flatten(0)[1]


def flatten_call(args, kwargs, static_argnums=(), static_argnames=(), registry=None) -> FlatCall:
    """Takes a call apart with the tracing registry (or the given one)."""
    registry = registry or pytrees.current().tracing
    # As JAX: a negative number without positional arguments is a ZeroDivisionError.
    fixed = {i % len(args) if i < 0 else i for i in static_argnums}
    trees, leaves, statics = [], [], []
    keywords = tuple(sorted(kwargs))
    values = [*enumerate(args), *((k, kwargs[k]) for k in keywords)]
    for place, value in values:
        if place in (static_argnames if isinstance(place, str) else fixed):
            trees.append(None)
            statics.append(TracedStatic(value))
            continue
        flat, tree = registry.flatten(value)
        trees.append(tree)
        leaves.extend(flat)
    return FlatCall(tuple(trees), keywords, tuple(leaves), tuple(statics))


def donation_vector(donate_argnums, donate_argnames, in_tree: PyTreeDef) -> tuple[bool, ...]:
    """One bool per leaf of the (args, kwargs) structure `in_tree` (statics as None)."""
    args_tree, kwargs_tree = in_tree.children()
    out: list[bool] = []
    for i, tree in enumerate(args_tree.children()):
        out.extend([i in donate_argnums] * tree.num_leaves)
    for key, tree in zip(kwargs_tree.node_data()[1], kwargs_tree.children()):
        out.extend([key in donate_argnames] * tree.num_leaves)
    return tuple(out)


def result_paths(result) -> tuple[str, ...]:
    """One name per leaf of a function's result: ``result``, ``result['a'][0]``."""
    pairs = pytrees.current().default.flatten(result, with_path=True)[0]
    return tuple([f"result{clean_keystr(path)}" for path, _ in pairs])


def debug_info(traced_for: str, fun, args, kwargs, *, static_argnums=(), static_argnames=(),
               sourceinfo: str | None = None, signature=None) -> DebugInfo:
    """Where `fun` comes from and how its dynamic arguments are called.

    A function that carries ``__fun_debug_info__`` answers for itself."""
    ready = getattr(fun, "__fun_debug_info__", None)
    if ready is not None:
        return ready
    sourceinfo = sourceinfo or fun_sourceinfo(fun)
    names = arg_names(signature or parameters(fun), args, kwargs, static_argnums,
                      static_argnames, pytrees.current().tracing)
    name, filename, line = source_parts(sourceinfo)
    return DebugInfo(traced_for, sourceinfo, names, None, name, filename, line)
