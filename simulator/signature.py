"""The arguments of a call, as the caches see them.

`ArgumentSignature` is what the fast path and the params cache compare;
`FlatCall` is what the tracing cache compares. Both know the structure and the
static values; the types of the leaves are compared beside the first and inside
the second.

JAX source: `jaxlib/jax_jit.cc: ArgumentSignature, ParseArguments`;
`jax/_src/flattree.py`; `jax/_src/api_util.py: donation_vector, debug_info`.
"""

from __future__ import annotations

from simulator import pytrees
from simulator.function_info import (arg_names, check_callable, clean_keystr,  # noqa: F401
                                     ensure_inbounds, fun_name, fun_signature, fun_sourceinfo,
                                     index_tuple, resolve_argnums, source_parts)
from simulator.jaxpr import DebugInfo
from simulator.treedef import PyTreeDef, treedef_dict, treedef_tuple


class ArgumentSignature:
    """Structure, names and static values of one call.

    Equality, in this order: tree structures; names of dynamic and of static
    keywords; static values by ``type(a) is type(b) and (a is b or a == b)``. The
    hash covers all of it but the metadata inside trees. ValueError from the
    hash when a static value has none, from ``==`` when values cannot be compared.
    """

    __slots__ = ("treedefs", "names", "static_args", "static_names", "_hash")

    def __init__(self, treedefs, names, static_args, static_names):
        self.treedefs, self.names = tuple(treedefs), tuple(names)
        self.static_args, self.static_names = tuple(static_args), tuple(static_names)
        self._hash = None

    def __hash__(self):
        if self._hash is None:
            self._hash = hash((self.treedefs, self.names, self.static_names,
                               tuple(map(_static_hash, self.static_args))))
        return self._hash

    def __eq__(self, other):
        return (isinstance(other, ArgumentSignature)
                and len(self.treedefs) == len(other.treedefs)
                and all(a == b for a, b in zip(self.treedefs, other.treedefs))
                and self.names == other.names and self.static_names == other.static_names
                and len(self.static_args) == len(other.static_args)
                and all(map(_static_equal, self.static_args, other.static_args)))

    def fields(self) -> list[list[str]]:
        """[[field, text], …] for the recording."""
        out = [["treedefs", ", ".join(str(t) for t in self.treedefs)]]
        for name, values in (("arg names", self.names), ("static args", self.static_args),
                             ("static names", self.static_names)):
            text = repr if name == "static args" else str
            out.append([name, ", ".join(_safe(text, v) for v in values)])
        return out


def _safe(text, value) -> str:
    try:
        return text(value)
    except Exception:   # a program's own __repr__ must not break a recording
        return f"a {type(value).__name__}"


def _static_hash(value) -> int:
    try:
        return hash(value)
    except TypeError as error:
        raise ValueError(
            "Non-hashable static arguments are not supported. An error occurred while trying to "
            f"hash an object of type {type(value)}, {value}. The error was:\n"
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
                    ) -> tuple[ArgumentSignature, list]:
    """(signature, dynamic leaves): positional leaves first, then keywords by name.

    Numbers may be negative; those out of range are ignored. Raises what flatten
    functions raise."""
    trees, leaves, statics, names, static_names = [], [], [], [], []

    def dynamic(value):
        flat, tree = registry.flatten(value)
        trees.append(tree)
        leaves.extend(flat)

    fixed = {i if i >= 0 else i + len(args) for i in static_argnums}
    for i, value in enumerate(args):
        if i in fixed:
            statics.append(value)
        else:
            dynamic(value)
    for name in sorted(kwargs):
        if name in static_argnames:
            static_names.append(name)
            statics.append(kwargs[name])
        else:
            names.append(name)
            dynamic(kwargs[name])
    return ArgumentSignature(trees, names, statics, static_names), leaves


class _Static:
    """A static value inside a `FlatCall`: same type and ``==``, no identity short cut."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return (isinstance(other, _Static) and type(self.value) is type(other.value)
                and bool(self.value == other.value))

    def __hash__(self):
        return hash(self.value)


class FlatCall:
    """(args, kwargs) taken apart: per argument a static value or a tree with leaves.

    Args:
      items: one per argument, positional first: `_Static` or `PyTreeDef`.
      keys: names of the keyword arguments, sorted; they are the last items.
      leaves: all leaves in order (arguments, or their types for a cache key).
    """

    __slots__ = ("items", "keys", "leaves")

    def __init__(self, items: tuple, keys: tuple, leaves: tuple):
        self.items, self.keys, self.leaves = items, keys, leaves

    def _key(self) -> tuple:
        return self.leaves, self.items, self.keys

    def __eq__(self, other):
        return isinstance(other, FlatCall) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def with_leaves(self, leaves) -> FlatCall:
        """The same call with other leaves."""
        return FlatCall(self.items, self.keys, tuple(leaves))

    def _tree(self, keep) -> PyTreeDef:
        registry = self._registry()
        n = len(self.items) - len(self.keys)
        kept = [keep(x) for x in self.items]
        args = [t for t in kept[:n] if t is not None]
        pairs = [(k, t) for k, t in zip(self.keys, kept[n:]) if t is not None]
        return treedef_tuple(registry, [
            treedef_tuple(registry, args),
            treedef_dict(registry, [k for k, _ in pairs], [t for _, t in pairs])])

    def _registry(self):
        return next((x.registry for x in self.items if isinstance(x, PyTreeDef)),
                    pytrees.current().tracing)

    @property
    def tree(self) -> PyTreeDef:
        """Structure of (args, kwargs) without the static arguments."""
        return self._tree(lambda x: x if isinstance(x, PyTreeDef) else None)

    @property
    def tree_with_statics(self) -> PyTreeDef:
        """As `tree`, with an empty node (None) where a static argument is."""
        none = self._registry().flatten(None)[1]
        return self._tree(lambda x: x if isinstance(x, PyTreeDef) else none)

    @property
    def tree_with_static_leaves(self) -> PyTreeDef:
        """As `tree`, with a leaf where a static argument is: what explanations compare."""
        leaf = pytrees.current().tracing.flatten(0)[1]
        return self._tree(lambda x: x if isinstance(x, PyTreeDef) else leaf)

    def unflatten(self, leaf=None) -> tuple[tuple, dict]:
        """(args, kwargs) back, with `leaf(x)` for every leaf x; keywords sorted by name."""
        values = [x if leaf is None else leaf(x) for x in self.leaves]
        out, start = [], 0
        for item in self.items:
            if isinstance(item, _Static):
                out.append(item.value)
                continue
            end = start + item.num_leaves
            out.append(item.unflatten(values[start:end]))
            start = end
        n = len(self.items) - len(self.keys)
        return tuple(out[:n]), dict(zip(self.keys, out[n:]))

    def fields(self) -> list[list[str]]:
        """[[field, text], …] for the recording; leaves are taken for types."""
        statics = [x.value for x in self.items if isinstance(x, _Static)]
        return [["tree", str(self.tree)], ["avals", ", ".join(map(str, self.leaves))],
                ["static args", ", ".join(_safe(repr, v) for v in statics)]]


def flatten_call(args, kwargs, static_argnums=(), static_argnames=(), registry=None) -> FlatCall:
    """Takes a call apart with the tracing registry (or the given one)."""
    registry = registry or pytrees.current().tracing
    # As JAX: a negative number without positional arguments is a ZeroDivisionError.
    fixed = {i % len(args) if i < 0 else i for i in static_argnums}
    items, leaves = [], []
    keys = tuple(sorted(kwargs))
    values = [*enumerate(args), *((k, kwargs[k]) for k in keys)]
    for place, value in values:
        if place in (static_argnames if isinstance(place, str) else fixed):
            items.append(_Static(value))
            continue
        flat, tree = registry.flatten(value)
        items.append(tree)
        leaves.extend(flat)
    return FlatCall(tuple(items), keys, tuple(leaves))


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
    return tuple(f"result{clean_keystr(path)}" for path, _ in pairs)


def debug_info(traced_for: str, fun, args, kwargs, *, static_argnums=(), static_argnames=(),
               sourceinfo: str | None = None, signature=None) -> DebugInfo:
    """Where `fun` comes from and how its dynamic arguments are called.

    A function that carries ``__fun_debug_info__`` answers for itself."""
    ready = getattr(fun, "__fun_debug_info__", None)
    if ready is not None:
        return ready
    sourceinfo = sourceinfo or fun_sourceinfo(fun)
    names = arg_names(signature or fun_signature(fun), args, kwargs, static_argnums,
                      static_argnames, pytrees.current().tracing)
    name, filename, line = source_parts(sourceinfo)
    return DebugInfo(traced_for, sourceinfo, names, None, name, filename, line)
