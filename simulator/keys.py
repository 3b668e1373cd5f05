"""The keys of the caches: what each station compares, and how, field by field.

One `KeyTable` per station. Read together they answer the question of this project:
*which* difference does each cache notice? Whatever is not a field here is not seen.

A dict compares keys with ``==``. Where JAX compares a field in another way, the
field has a `wrap`: a function that turns the value into an object whose ``==`` and
hash compare in that way. Fields without one go into the key as they are.

``python -m tests.mutation`` drops every field, or compares it in another way (through
`KeyTable.compare`), and checks that some test notices.

JAX source: ``jaxlib/jax_jit.h: CallSignature``, ``jaxlib/weakref_lru_cache.cc``,
``jax/_src/interpreters/pxla.py: JitGlobalCppCacheKeys``; the arguments of the cached
functions ``_infer_params_cached, trace_to_jaxpr, _pjit_lower,
_cached_lowering_to_hlo, _cached_compilation, xla_primitive_callable``;
``jax/_src/cache_key.py: get``.

Simplified: fields that never vary in the model's scope are left out of the tables:
layouts (always the default), lowering
platforms and parameters, memory kinds, the backend, constants as arguments, aliased
refs, ``tuple_args``, profiles; of a signature the device, which JAX never sets.
"""

from __future__ import annotations

import operator
import weakref
from collections.abc import Callable, Hashable
from typing import Any

from simulator.named_tuples import NamedTuple
from simulator.placement import shardings


class Field(NamedTuple):
    """One field of a key.

    Args:
      name: what recordings call it.
      how: the comparison, in words.
      wrap: the comparison, as described above; None for the value's own ``==``.
    """

    name: str
    how: str
    wrap: Callable[[Any], Hashable] | None = None


class WeakKey(weakref.ref):
    """A weak reference compared by its referent: identity, else ``==``.

    The hash is the referent's, taken when it is first asked for. Two functions that
    compare equal (frozen dataclasses, bound methods of one object) therefore share
    entries, until the first of them dies.
    """

    __slots__ = ()

    __hash__ = weakref.ref.__hash__

    def __eq__(self, other: object) -> bool:
        mine, theirs = self(), other()  # type: ignore[operator]
        if mine is None or theirs is None:
            return self is other
        return mine is theirs or bool(mine == theirs)


class KeyTable:
    """The fields of one station's key, in order.

    Args:
      station: its id. fields: the strongly held fields.
      weak: the first argument of the cached function, if it is held weakly.
    """

    def __init__(self, station: str, *fields: Field, weak: Field | None = None):
        self.station = station
        self.fields = fields
        self.weak = weak
        self.weak_key: type[WeakKey] = WeakKey
        self.names = tuple(f.name for f in fields)
        self._wraps = [(i, f.wrap) for i, f in enumerate(fields) if f.wrap is not None]

    def slot(self, values: tuple) -> Hashable:
        """What the cache's dict is asked with, given one value per field."""
        if not self._wraps:
            return values
        compared = list(values)
        for i, wrap in self._wraps:
            compared[i] = wrap(compared[i])
        return tuple(compared)

    def compare(self, name: str, wrap: Callable[[Any], Hashable] | None) -> None:
        """From now on compare the field `name` through another `wrap`.

        For experiments: the mutation check. KeyError for an unknown name.
        """
        if name not in self.names:
            raise KeyError(f"{self.station} has no field {name!r}")
        self.fields = tuple(f._replace(wrap=wrap) if f.name == name else f for f in self.fields)
        self._wraps = [(i, f.wrap) for i, f in enumerate(self.fields) if f.wrap is not None]


PLAIN = KeyTable("")
"""For the library's own caches, which are no stations: everything by ``==``."""

# How values are compared, in words. Objects "by identity" define no == of their own.
EQUAL = "=="
IDENTITY = "the same object"
TYPES = "shape, dtype, weak type, and the sharding that the type carries"
TREES = "node by node: kind, arity, type; metadata by ==, never its type"
STATIC = "the same type, and the same object or =="
STATIC_EQUAL = "the same type and =="
CONTEXT = "value by value, =="

_CONTEXT = Field("trace context", CONTEXT)

FUNCTION = KeyTable(
    "fast_path",
    Field("function", IDENTITY, id),
    Field("donate_argnums", EQUAL),
    Field("donate_argnames", EQUAL),
    Field("device", IDENTITY),
    Field("backend", EQUAL),
    Field("in_shardings", "structure and ==; None is not the same as nothing"),
    Field("out_shardings", "structure and ==; None is not the same as nothing"),
    Field("compiler_options", EQUAL))
"""The outer key of the fast path. A wrapper looks it up once, when it is made."""

SIGNATURE = KeyTable(
    "fast_path",
    Field("treedefs", TREES),
    Field("arg names", EQUAL),
    Field("static args", STATIC),
    Field("static names", EQUAL),
    Field("avals", "shape, dtype, weak type"),
    Field("shardings", "type; mesh and device by identity, spec by ==; none for what is no "
          "jax.Array", shardings.placements),
    Field("committed", EQUAL),
    Field("configs", "value by value, ==; not hashed"))
"""The inner key of the fast path: the `CallSignature`."""

PARAMS = KeyTable(
    "params",
    _CONTEXT,
    Field("PjitInfo", IDENTITY),
    Field("signature", TREES),
    Field("names", EQUAL),
    Field("static args", STATIC),
    Field("static names", EQUAL),
    Field("avals", TYPES),
    Field("ctx mesh", EQUAL),
    weak=Field("function", EQUAL))

TRACE = KeyTable(
    "trace",
    _CONTEXT,
    Field("tree", TREES),
    Field("keywords", EQUAL),
    Field("avals", TYPES),
    Field("static args", STATIC_EQUAL),
    Field("debug info", EQUAL),
    weak=Field("function", EQUAL))

LOWER = KeyTable(
    "lower",
    _CONTEXT,
    Field("in_shardings", EQUAL),
    Field("out_shardings", EQUAL),
    Field("donated", EQUAL),
    Field("ctx_mesh", EQUAL),
    Field("name", EQUAL),
    Field("keep_unused", EQUAL),
    Field("inline", EQUAL),
    Field("compiler_options", EQUAL),
    Field("lowering_platforms", EQUAL),
    Field("for_export", EQUAL),
    weak=Field("jaxpr", IDENTITY))

HLO = KeyTable(
    "hlo",
    _CONTEXT,
    Field("module_name", EQUAL),
    Field("in_avals", TYPES),
    Field("out_avals", TYPES),
    Field("in_shardings", "the same layout, whatever the devices and names"),
    Field("out_shardings", "the same layout, whatever the devices and names"),
    Field("num_devices", EQUAL),
    Field("device_assignment", "==; none unless an operation needs the devices"),
    Field("donated", EQUAL),
    Field("for_export", EQUAL),
    weak=Field("jaxpr", IDENTITY))

COMPILE = KeyTable(
    "compile",
    _CONTEXT,
    Field("name", EQUAL),
    Field("allow_prop_to_inputs", EQUAL),
    Field("allow_prop_to_outputs", EQUAL),
    Field("host_callbacks", IDENTITY),
    Field("devices", EQUAL),
    Field("compiler_options", EQUAL),
    weak=Field("module", IDENTITY))

DISK = KeyTable(
    "disk",
    Field("file name", EQUAL),
    Field("module", "the same text"),
    Field("jaxlib", EQUAL),
    Field("xla_flags", EQUAL),
    Field("compile_options", EQUAL),
    Field("topology", EQUAL))

def _by_name(params: tuple) -> tuple:
    return tuple(sorted(params, key=operator.itemgetter(0)))


PRIM = KeyTable(
    "prim",
    _CONTEXT,
    Field("primitive", IDENTITY),
    Field("params", "==, in any order", _by_name))

TABLES = (FUNCTION, SIGNATURE, PARAMS, TRACE, LOWER, HLO, COMPILE, DISK, PRIM)
"""`memo` is missing: an attribute of the computation itself, it has no key."""
