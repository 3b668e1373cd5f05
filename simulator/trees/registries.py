"""The pytree registries of one simulated process, and which process's are in use.

JAX keeps several registries. The C++ fast path flattens with `dispatch`, which
also opens typed key arrays; the Python path with `tracing`, where those are
leaves; sharding specs use `none_leaf`, where None is a leaf; programs use
`default`.

A simulated process has its own `Registries`; `use` makes one current.

JAX source: `jax/_src/tree_util.py: default_registry, none_leaf_registry,
dispatch_registry, tracing_registry, Partial`.
"""

from __future__ import annotations

import collections
import contextlib
import functools

from simulator.trees.keypaths import DictKey
from simulator.trees.tree_registry import Registration, Registry
from simulator.trees.treedef import CUSTOM, DATACLASS

_library: list[tuple] = []  # (registry, class, flatten, unflatten)


class Registries:
    """The four registries of one process, holding JAX's own container types."""

    def __init__(self):
        self.default = Registry("default")
        self.none_leaf = Registry("none_leaf", none_is_node=False)
        self.dispatch = Registry("dispatch")
        self.tracing = Registry("tracing")
        for entry in _BUILTIN:
            self.register(*entry)
        for name, cls, flatten, unflatten in _library:
            getattr(self, name).register(Registration(CUSTOM, cls, flatten, unflatten))

    @property
    def all(self) -> tuple[Registry, ...]:
        """All four."""
        return self.default, self.none_leaf, self.dispatch, self.tracing

    def register(self, cls, flatten, unflatten, with_keys=None) -> None:
        """Register a type in all four. ValueError when it is known already."""
        for registry in self.all:
            registry.register(Registration(CUSTOM, cls, flatten, unflatten, with_keys))

    def register_dataclass(self, cls, data_fields, meta_fields) -> None:
        """Register a dataclass in all four, as jaxlib's own kind. ValueError when it is
        known already."""
        for registry in self.all:
            registry.register(Registration(DATACLASS, cls, data_fields=data_fields,
                                           meta_fields=meta_fields))


def register_only(name: str, cls, flatten, unflatten) -> None:
    """Makes `cls` a container in one registry only: ``"dispatch"`` for the C++ fast path
    (typed key arrays), ``"tracing"`` for the library's own trees.

    Called at import by the module that defines `cls`; holds for every process."""
    _library.append((name, cls, flatten, unflatten))
    if _current is not None:
        getattr(_current, name).register(Registration(CUSTOM, cls, flatten, unflatten))


def register_for_all(cls, flatten, unflatten) -> None:
    """Makes `cls`, a type of the library, a container in every process."""
    global _BUILTIN
    entry = cls, flatten, unflatten
    _BUILTIN = (*_BUILTIN, entry)
    if _current is not None:
        _current.register(*entry)


class _HashableShim:
    """Hides a functools.partial from the merging that functools.partial does."""

    def __init__(self, fun):
        self.fun = fun

    def __call__(self, *args, **kwargs):
        return self.fun(*args, **kwargs)

    def __hash__(self):
        return hash(self.fun)

    def __eq__(self, other):
        return self.fun == (other.fun if isinstance(other, _HashableShim) else other)

    def __repr__(self):
        return f"_HashableCallableShim({self.fun!r})"


class Partial(functools.partial):
    """`functools.partial` that is a container: arguments are children, the function metadata."""

    def __new__(cls, func, *args, **kwargs):
        if not isinstance(func, functools.partial):
            return super().__new__(cls, func, *args, **kwargs)
        shim = _HashableShim(func)
        made = super().__new__(cls, shim, *args, **kwargs)
        shim.func, shim.args, shim.keywords = func.func, func.args, func.keywords
        return made


Partial.__module__ = "jax.tree_util"


def without_keys(with_keys):
    """A flatten function without key paths, made from one with them."""
    def flatten(tree):
        pairs, meta = with_keys(tree)
        return [child for _, child in pairs], meta
    return flatten


def _ordered_dict(d):
    return tuple((DictKey(k), d[k]) for k in d), tuple(d)


def _default_dict(d):
    keys = tuple(sorted(d))
    return tuple((DictKey(k), d[k]) for k in keys), (d.default_factory, keys)


_BUILTIN = (
    (Partial, lambda p: ((p.args, p.keywords), p.func),
     lambda func, xs: Partial(func, *xs[0], **xs[1])),
    (collections.OrderedDict, without_keys(_ordered_dict),
     lambda keys, values: collections.OrderedDict(zip(keys, values)), _ordered_dict),
    (collections.defaultdict, without_keys(_default_dict),
     lambda meta, values: collections.defaultdict(meta[0], zip(meta[1], values)), _default_dict),
)

_current: Registries | None = None
_current = Registries()


def current() -> Registries:
    """The registries of the process that runs now."""
    return _current


def use(registries: Registries) -> Registries:
    """Makes `registries` current and returns the ones that were."""
    global _current
    before, _current = _current, registries
    return before


@contextlib.contextmanager
def using(registries: Registries):
    """`use` for the length of a with block."""
    before = use(registries)
    try:
        yield registries
    finally:
        use(before)
