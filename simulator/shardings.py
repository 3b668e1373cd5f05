"""Shardings as the caches use them: in keys, in types, in arguments of `jax.jit`.

The classes are in `simulator.sharding_types`; what a compiled program makes of
them is in `simulator.assignment`. Everything is importable from here.

Which comparison is used where:

* fast path: `equal_for_jit` (the mesh by pointer);
* lower: ``==`` (spec object, mesh object): ``P('x')`` is not ``P('x', None)``;
* hlo: `SemanticallyEqualShardings` (the layout only; devices and names aside).

JAX source: `jaxlib/jax_jit.cc: EqualShardingsForJit`;
`jax/_src/interpreters/pxla.py: SemanticallyEqualShardings`;
`jax/_src/pjit.py: _process_in_axis_resources, pjit_check_aval_sharding`;
`jax/_src/core.py: update_aval_with_sharding, get_sharding`.
"""

from __future__ import annotations

from typing import Any

from simulator import pytrees, source, tree_errors
from simulator.errors import OutOfScope
from simulator.layout import Format
from simulator.mesh_types import AbstractMesh, AxisType, Mesh
from simulator.partition_spec import UNCONSTRAINED, PartitionSpec
from simulator.assignment import (DeviceMismatch, check_same_hlo_sharding,  # noqa: F401
                                 concretize_out_shardings, device_assignment,
                                 finalize_arg_sharding, mismatch_error, shardings_inside,
                                 shardings_of_executable)
from simulator.sharding_types import (UNSPECIFIED, ChosenByXla,  # noqa: F401
                                      DuplicateSpecError, GSPMDSharding, IndivisibleError,
                                      NamedSharding, Sharding, SingleDeviceSharding,
                                      check_unique_axes, equivalent)


# --- comparisons -------------------------------------------------------------

def equal_for_jit(a: Any, b: Any) -> bool:
    """How the fast path compares two placements (None: not a `jax.Array`)."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, NamedSharding):
        return a.mesh is b.mesh and a.spec is b.spec and a.memory_kind == b.memory_kind
    if isinstance(a, SingleDeviceSharding):
        return a._device is b._device and a.memory_kind == b.memory_kind
    return a == b


def hash_for_jit(sharding: Any) -> int:
    """The hash that goes with `equal_for_jit`: of a named sharding only the mesh."""
    if isinstance(sharding, NamedSharding):
        return id(sharding.mesh)
    if isinstance(sharding, SingleDeviceSharding):
        return id(sharding._device)
    return hash(sharding)


class SemanticallyEqualShardings:
    """A tuple of shardings, compared by the layout they give arrays of these ranks.

    Devices do not matter, only how many pieces go in which order."""

    __slots__ = ("shardings", "avals")

    def __init__(self, shardings: tuple, avals: tuple):
        self.shardings, self.avals = shardings, avals

    def __hash__(self):
        return hash(tuple(s if s is UNSPECIFIED else
                          (s._to_xla_hlo_sharding(len(a.shape)), s.memory_kind)
                          for s, a in zip(self.shardings, self.avals)))

    def __eq__(self, other):
        if not isinstance(other, SemanticallyEqualShardings):
            return False
        return all(equivalent(s, o, len(a.shape))
                   if s is not UNSPECIFIED and o is not UNSPECIFIED else s is o
                   for s, o, a in zip(self.shardings, other.shardings, self.avals))

    def __str__(self):
        return key_text(self.shardings)


# --- types -------------------------------------------------------------------

def explicit_spec(spec: PartitionSpec, mesh: Any, ndim: int) -> PartitionSpec:
    """The part of a spec that a type keeps: Explicit axes only, one entry per dimension."""
    kinds = dict(zip(mesh.axis_names, mesh.axis_types))
    out: list = []
    for part in spec.partitions:
        names = () if part is None or part is UNCONSTRAINED else (
            part if isinstance(part, tuple) else (part,))
        out.append(tuple(n for n in names if kinds[n] is AxisType.Explicit))
    return PartitionSpec(*out, *[None] * (ndim - len(out)))


def aval_with_sharding(aval: Any, sharding: Any) -> Any:
    """The array type with the mesh (and Explicit axes) of a named sharding in it.

    Other shardings leave the type as it is. ValueError when a dimension does not
    divide."""
    if not isinstance(sharding, NamedSharding):
        return aval
    mesh = sharding.mesh.abstract_mesh
    spec = explicit_spec(sharding.spec, mesh, len(aval.shape))
    for dim, (part, size) in enumerate(zip(spec.partitions, aval.shape)):
        if part is not None:
            names = part if isinstance(part, tuple) else (part,)
            pieces = 1
            for name in names:
                pieces *= mesh.shape[name]
            if size % pieces:
                raise ValueError(
                    f"Sharding spec {names} implies that array axis {dim} is partitioned {pieces} "
                    f"times, but does not evenly divide the dimension size {size}. Got shape: "
                    f"{aval.shape} and sharding {sharding}")
    return aval.update(mesh=mesh, spec=spec)


def shard_aval(aval: Any, sharding: Any = UNSPECIFIED) -> Any:
    """The type of the piece on one device, without mesh; unspecified: the whole."""
    if sharding is UNSPECIFIED:
        return aval
    return aval.update(shape=sharding.shard_shape(aval.shape), mesh=None, spec=None)


# --- arguments of jax.jit ------------------------------------------------------

class ShardingSpec:
    """``in_shardings`` or ``out_shardings`` of one ``jax.jit`` call.

    Args:
      name: which of the two.
      value: a tree of shardings, `PartitionSpec`s, None and UNSPECIFIED.

    `key` is what the fast path compares: structure and leaves. Not passing the
    argument (UNSPECIFIED) and passing None are two different keys.

    Errors: TypeError for other leaves, ValueError / DuplicateSpecError for specs
    that are wrong in themselves."""

    __slots__ = ("name", "leaves", "treedef")

    def __init__(self, name: str, value: Any):
        if name == "in_shardings" and isinstance(value, list):
            value = tuple(value)   # a list can not be a prefix of the argument tuple
        self.name = name
        leaves, self.treedef = pytrees.current().none_leaf.flatten(value)
        self.leaves = tuple(self._checked(x) for x in leaves)

    def _checked(self, leaf: Any) -> Any:
        if isinstance(leaf, Format):
            if leaf.layout is not None:
                raise OutOfScope("layouts in " + self.name, "pass the sharding alone")
            leaf = leaf.sharding
        if leaf is None or leaf is UNSPECIFIED:
            return leaf
        what = f"{self.name} leaf specifications"
        spec = leaf.spec if isinstance(leaf, NamedSharding) else leaf
        if isinstance(leaf, Sharding):
            if isinstance(leaf, NamedSharding) and leaf.mesh.empty:
                raise ValueError(f"One of {what} got an empty NamedSharding: {leaf} which is not "
                                 "allowed.")
        elif not isinstance(leaf, PartitionSpec):
            raise TypeError(f"{what} are expected to be PartitionSpec instances or None, but got "
                            f"{leaf}")
        if isinstance(spec, PartitionSpec):
            if UNCONSTRAINED in spec.partitions:
                raise ValueError("Unconstrained dims are not allowed when passed to "
                                 f"{self.name}: {leaf}")
            if spec is leaf:
                check_unique_axes(spec, self.name)
        return leaf

    @property
    def key(self) -> tuple:
        return self.treedef, self.leaves

    @property
    def unspecified(self) -> bool:
        return self.leaves == (UNSPECIFIED,) and self.treedef.num_nodes == 1

    def resolved(self, ctx_mesh: Any) -> Any:
        """The tree with every leaf a sharding or UNSPECIFIED.

        RuntimeError for a `PartitionSpec` without a mesh in context."""
        out = []
        for leaf in self.leaves:
            if leaf is None:
                leaf = UNSPECIFIED
            elif isinstance(leaf, PartitionSpec):
                if ctx_mesh.empty:
                    raise RuntimeError(
                        "jit requires a non-empty mesh in context if you are passing "
                        f"`PartitionSpec`s to {self.name}. You can define a context mesh via "
                        "`jax.set_mesh(mesh)`. Alternatively, provide `Sharding`s to "
                        f"{self.name} and then the mesh context manager is not required.")
                leaf = NamedSharding(ctx_mesh, leaf)
            out.append(leaf)
        return self.treedef.unflatten(out)


def flatten_in_shardings(spec: ShardingSpec, tree: Any, avals: tuple, ctx_mesh: Any,
                         has_kwargs: bool, names: Any = None) -> tuple:
    """One sharding (or UNSPECIFIED) per argument leaf, checked against the types.

    Args:
      tree: structure of (args, kwargs). names: one name per leaf, for errors.

    Errors: ValueError when the tree is no prefix, has too many dimensions, or
    does not divide (IndivisibleError)."""
    if not has_kwargs:
        tree = tree.children()[0]
    wanted = spec.resolved(ctx_mesh)
    if wanted is UNSPECIFIED:
        return (UNSPECIFIED,) * len(avals)
    flat = tree_errors.flatten_axis_resources(
        pytrees.current(), f"pjit {spec.name}", tree, wanted, True)
    _check_avals(flat, avals, names, "pjit arguments")
    return flat


def flatten_out_shardings(spec: ShardingSpec, tree: Any, avals: tuple, ctx_mesh: Any,
                          names: Any = None) -> tuple:
    """As `flatten_in_shardings`, for results; one sharding may stand for all of them."""
    wanted = spec.resolved(ctx_mesh)
    if wanted is UNSPECIFIED or isinstance(wanted, Sharding):
        flat = (wanted,) * len(avals)
    else:
        flat = tree_errors.flatten_axis_resources(
            pytrees.current(), f"pjit {spec.name}", tree, wanted, False)
    _check_avals(flat, avals, names, "pjit outputs")
    return flat


def _check_avals(shardings: tuple, avals: tuple, names: Any, what: str) -> None:
    for aval, s, name in zip(avals, shardings, names or ("",) * len(avals)):
        if s is UNSPECIFIED:
            continue
        path = f" with pytree key path {name}" if name else ""
        check_aval(s, aval.shape, f"One of {what}{path}")


def check_aval(sharding: Sharding, shape: tuple, who: str) -> None:
    """ValueError or IndivisibleError when arrays of this shape cannot be placed so."""
    try:
        sharding.check_compatible_aval(shape)
    except ValueError as error:
        raise ValueError(f"{who} is incompatible with its sharding annotation {sharding}: "
                         f"{error}") from None
    try:
        sharding.shard_shape(shape)
    except IndivisibleError as error:
        raise IndivisibleError(f"{who} was given the sharding {error}. This error occurs at "
                               f"source:  {source.callsite()}") from None


# --- texts -------------------------------------------------------------------

def key_text(value: Any) -> str:
    """A key field as short text for people."""
    if value is None:
        return "none"
    if value is UNSPECIFIED:
        return "unspecified"
    if isinstance(value, SingleDeviceSharding):
        return f"SingleDevice({value._device})"
    if isinstance(value, NamedSharding):
        return f"Named({key_text(value.mesh)}, {value.spec})"
    if isinstance(value, GSPMDSharding):
        return f"GSPMD({value._hlo_sharding})"
    if isinstance(value, Mesh):
        if value.empty:
            return "no mesh"
        ids = ",".join(str(d.id) for d in value._flat_devices_tuple)
        return f"Mesh({_axes_text(value)} on {ids})"
    if isinstance(value, AbstractMesh):
        return "no mesh" if value.empty else f"AbstractMesh({_axes_text(value)})"
    if isinstance(value, tuple) and type(value) is tuple:
        return f"({', '.join(map(key_text, value))})"
    return str(value)


def _axes_text(mesh: Any) -> str:
    return ", ".join(f"{n}={s} {t.name}" for (n, s), t in zip(mesh.shape_tuple, mesh.axis_types))


def hlo_text(sharding: Any, ndim: int) -> str:
    """What the module says about a placement, as far as the disk key sees it.

    The module names the mesh axes, so renaming an axis changes it; devices are
    not in it. A single device and a full copy on many read the same."""
    if sharding is UNSPECIFIED:
        return ""
    if isinstance(sharding, NamedSharding):
        parts = list(sharding.spec.partitions) + [None] * (ndim - len(sharding.spec))
        if parts and all(p is UNCONSTRAINED for p in parts):
            return ""
        dims = ["{?}" if p is UNCONSTRAINED else "{}" if p is None else
                "{" + ",".join(map(str, p if isinstance(p, tuple) else (p,))) + "}" for p in parts]
        return f"<{dict(sharding.mesh.shape_tuple)}, [{', '.join(dims)}]>"
    if sharding._to_xla_hlo_sharding(ndim).replicated:
        return f"<{{}}, [{', '.join(['{}'] * ndim)}]>"
    return f"<{sharding._to_xla_hlo_sharding(ndim)}>"
