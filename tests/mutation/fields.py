"""Every field of every key table, and the other ways in which it could be compared.

`OTHERWISE` holds, by table and field, {what the mutant does: its wrap}. A field that is
dropped is added to each by `mutants`. `NO_OTHER_WAY` says why a field has none.

Not listed, because nothing can tell them apart: identity of meshes and specs instead of
``==`` (equal ones are one object), identity of bools, enumeration members and small ints;
types of values that always have one type; where one argument ends and the next begins
(a list of nodes with their arities can be read in one way only).
"""

from __future__ import annotations

from typing import Any

from simulator import keys
from simulator.jaxprs.inline import Inline
from simulator.placement import shardings
from simulator.placement.shardings import UNSPECIFIED
from tests.mutation import trees
from tests.mutation.comparing import (
    By,
    Identity,
    Wrap,
    by,
    count,
    each,
    exact,
    identity,
    in_any_order,
    item,
    items,
    names_only,
    some,
    values_only,
)

OPTIONS: dict[str, Wrap] = {
    "only names": names_only, "only values": values_only, "in any order": in_any_order,
    "with the types of values": exact, "by identity": identity}
NAMES: dict[str, Wrap] = {"by identity": identity, "only how many": count}
CONTEXT: dict[str, Wrap] = {"by identity": lambda c: identity(tuple(c)),
                            "with the types of values": lambda c: exact(tuple(c)),
                            "only how many": count}


def _equal(a: Any, b: Any) -> bool:
    return a.value is b.value or bool(a.value == b.value)


STATICS: dict[str, Wrap] = {
    "without the type": by(_equal),
    "with the types inside": each(lambda s: By(s, lambda a, b: exact(a.value) == exact(b.value))),
    "by identity": each(lambda s: Identity(s.value)),
    "only the hash": each(hash),
    "only how many": count,
}
SHORT_CUT: dict[str, Wrap] = {"without the identity short cut": by(
    lambda a, b: type(a.value) is type(b.value) and a.value == b.value)}


def _meaning(sharding: Any) -> Any:
    """What a sharding does to a matrix, whatever the devices."""
    known = isinstance(sharding, shardings.Sharding)
    return sharding._to_xla_hlo_sharding(2) if known else sharding


def _devices(sharding: Any) -> Any:
    return sharding.devices if isinstance(sharding, shardings.Sharding) else sharding


def _none_as_nothing(key: tuple) -> tuple:
    return key[0], tuple(UNSPECIFIED if leaf is None else leaf for leaf in key[1])


def _leaves(wrap: Wrap) -> Wrap:
    return lambda key: (key[0], tuple(map(wrap, key[1]))) if _from_jit(key) else key


def _from_jit(key: tuple) -> bool:
    # A jit equation evaluated eagerly has one sharding per leaf here, and no structure.
    return len(key) == 2 and isinstance(key[1], tuple)


JIT_SHARDINGS: dict[str, Wrap] = {
    "without the structure": lambda key: key[1:] if _from_jit(key) else key,
    "only the structure": lambda key: key[:1] if _from_jit(key) else key,
    "None as nothing": lambda key: _none_as_nothing(key) if _from_jit(key) else key,
    "leaves by identity": _leaves(Identity),
    "leaves by what they mean": _leaves(_meaning),
    "leaves by their devices": _leaves(_devices),
}
SHARDINGS: dict[str, Wrap] = {
    "by identity": each(Identity), "by what they mean": each(_meaning),
    "by their devices": each(_devices),
    "only whether there is one": each(lambda s: s is UNSPECIFIED)}


def _spec_without_nones(sharding: Any) -> Any:
    if not isinstance(sharding, shardings.NamedSharding):
        return shardings.placement(sharding)
    parts = [p for p in sharding.spec.partitions if p is not None]
    return id(sharding.mesh), tuple(parts)


def _placed(named: Any) -> Wrap:
    """Named shardings in another way, the others as they are."""
    return each(lambda s: named(s) if isinstance(s, shardings.NamedSharding)
                else shardings.placement(s))


PLACEMENTS: dict[str, Wrap] = {
    "by identity": each(Identity),
    "only whether there is one": each(lambda s: s is None),
    "only the type": each(type),
    "only the devices": each(lambda s: s and s.devices),
    "without the mesh": _placed(lambda s: s.spec),
    "without the spec": _placed(lambda s: id(s.mesh)),
    "the abstract mesh": _placed(lambda s: (s.mesh.abstract_mesh, s.spec)),
    "by what they mean": each(lambda s: s and (s.devices, _meaning(s))),
    "the spec without Nones": each(_spec_without_nones),
    "of other kinds by identity": each(
        lambda s: Identity(s) if isinstance(s, shardings.GSPMDSharding)
        else shardings.placement(s)),
}


def _mesh_axes(mesh: Any) -> Any:
    return getattr(mesh, "abstract_mesh", mesh)


def _semantic(change: Any) -> Wrap:
    return lambda value: tuple(map(change, value.shardings))


MEANINGS: dict[str, Wrap] = {
    "by ==": _semantic(lambda s: s),
    "by identity": _semantic(Identity),
    "with the devices": lambda value: (value, _semantic(_devices)(value)),
    "only whether there is one": _semantic(lambda s: s is UNSPECIFIED),
    "without the ranks": _semantic(lambda s: repr(_meaning(s))),
}
INFO = ("traced_for", "func_src_info", "arg_names")

JIT_TYPES: dict[str, Wrap] = {
    "without dtype": items(1, 2), "without shape": items(0, 2), "without weak type": items(0, 1),
    "only the rank": each(lambda a: (a[0], len(a[1]), a[2])),
    "only the width of the dtype": each(lambda a: (a[0].itemsize, a[1], a[2])),
    "in any order": in_any_order,
    "by identity": each(lambda a: (a[0], Identity(a[1]), a[2])),
}

OTHERWISE: dict[keys.KeyTable, dict[str, dict[str, Wrap]]] = {
    keys.FUNCTION: {
        "function": {"by ==": keys.WeakKey, "by name": lambda f: getattr(f, "__name__", ""),
                     "by code": lambda f: getattr(f, "__code__", f)},
        "donate_argnums": {"only how many": count},
        "donate_argnames": NAMES,
        "device": {"only whether there is one": lambda d: d is None,
                   "by its platform": lambda d: getattr(d, "platform", d)},
        "backend": {"only whether there is one": lambda b: b is None,
                    "by identity": Identity},
        "in_shardings": JIT_SHARDINGS,
        "out_shardings": JIT_SHARDINGS,
        "compiler_options": OPTIONS,
    },
    keys.SIGNATURE: {
        "treedefs": trees.TREES,
        "arg names": NAMES,
        "static args": STATICS | SHORT_CUT,
        "static names": NAMES,
        "avals": JIT_TYPES,
        "shardings": PLACEMENTS,
        "committed": {"only whether any is": some, "only how many": sum},
        "configs": CONTEXT | {"hashed": tuple, "as far as the shorter one goes": lambda c: By(
            c, lambda a, b: all(x is y or x == y for x, y in zip(a, b)))},
    },
    keys.PARAMS: {
        "trace context": CONTEXT,
        "PjitInfo": {"by content": lambda info: tuple(
            getattr(info, name) for name in info.__slots__[2:-1] if "shardings" not in name)},
        "signature": trees.TREES,
        "names": NAMES,
        "static args": STATICS | SHORT_CUT,
        "static names": NAMES,
        "avals": trees.TYPES | trees.MESH_TYPES,
        "ctx mesh": {"only its axes": _mesh_axes},
    },
    keys.TRACE: {
        "trace context": CONTEXT,
        "tree": trees.TREES | {"without the places of statics": lambda ts: tuple(
            t for t in ts if t is not None)},
        "keywords": NAMES,
        "avals": trees.TYPES | trees.MESH_TYPES,
        "static args": STATICS | {"with an identity short cut": by(
            lambda a, b: a.value is b.value or a == b)},
        "debug info": {f"without {name}": item(*(i for i in range(3) if INFO[i] != name))
                       for name in INFO} | {"by identity": identity},
    },
    keys.LOWER: {
        "trace context": CONTEXT,
        "in_shardings": SHARDINGS,
        "out_shardings": SHARDINGS,
        "donated": {"only whether any is": some, "only how many": sum},
        "ctx_mesh": {"only its axes": _mesh_axes},
        "name": {"by identity": identity},
        "keep_unused": {"with its type": exact},
        "inline": {"only early or not": lambda kind: kind is Inline.JAX_EARLY},
        "compiler_options": OPTIONS,
        "lowering_platforms": {"by identity": identity},
    },
    keys.HLO: {
        "trace context": CONTEXT,
        "module_name": {"by identity": identity},
        "in_avals": trees.TYPES | trees.MESH_TYPES,
        "out_avals": trees.TYPES | trees.MESH_TYPES,
        "in_shardings": MEANINGS,
        "out_shardings": MEANINGS,
        "num_devices": {"only one or more": lambda n: n > 1},
        "device_assignment": {"only how many": lambda ds: ds and len(ds)},
        "donated": {"only how many": count},
    },
    keys.COMPILE: {
        "trace context": CONTEXT,
        "name": {"by identity": identity},
        "allow_prop_to_inputs": {"only whether any is": some, "only how many": sum},
        "allow_prop_to_outputs": {"only whether any is": some, "only how many": sum},
        "host_callbacks": {"only how many": count},
        "devices": {"in any order": in_any_order, "only how many": count},
        "compiler_options": OPTIONS,
    },
    keys.DISK: {},
    keys.PRIM: {
        "trace context": CONTEXT,
        "primitive": {"by name": lambda p: getattr(p, "name", "")},
        "params": OPTIONS | {"in their order": tuple},
    },
}
del OTHERWISE[keys.PRIM]["params"]["in any order"]     # that is what it is

NO_OTHER_WAY = {
    ("disk", "file name"): "text", ("disk", "jaxlib"): "text", ("disk", "topology"): "text",
    ("disk", "xla_flags"): "text",
    ("lower", "for_export"): "bool", ("hlo", "for_export"): "bool",
}
