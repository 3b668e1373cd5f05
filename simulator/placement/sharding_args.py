"""``in_shardings`` and ``out_shardings`` of `jax.jit`: from what the user gave to one per leaf.

JAX source: `jax/_src/sharding_impls.py: prepare_axis_resources`;
`jax/_src/pjit.py: _create_sharding_for_array, _process_in_axis_resources,
_check_and_canonicalize_out_shardings, pjit_check_aval_sharding`.
"""

from __future__ import annotations

from typing import Any

from simulator.errors import OutOfScope
from simulator.placement.devices import Device
from simulator.placement.layout import Format
from simulator.placement.partition_spec import UNCONSTRAINED, PartitionSpec
from simulator.placement.sharding_types import (
    UNSPECIFIED,
    IndivisibleError,
    NamedSharding,
    Sharding,
    SingleDeviceSharding,
    check_unique_axes,
)
from simulator.running import source
from simulator.trees import pytrees


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
        registry = pytrees.current().none_leaf
        if value is UNSPECIFIED:    # nearly always
            self.leaves, self.treedef = (UNSPECIFIED,), registry.leaf
            return
        leaves, self.treedef = registry.flatten(value)
        self.leaves = tuple(map(self._checked, leaves))

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
        """What the fast path compares: structure and leaves."""
        return self.treedef, self.leaves

    @property
    def unspecified(self) -> bool:
        """Whether the argument was not given."""
        return len(self.leaves) == 1 and self.leaves[0] is UNSPECIFIED and (
            self.treedef.num_nodes == 1)

    def resolved(self, ctx_mesh: Any) -> Any:
        """The tree with every leaf a sharding or UNSPECIFIED.

        RuntimeError for a `PartitionSpec` without a mesh in context."""
        if self.unspecified:
            return UNSPECIFIED
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


def of_device(device: Any, backend: Any, ctx_mesh: Any, devices_of: Any) -> tuple:
    """``in_shardings`` and ``out_shardings`` for a ``device`` or ``backend`` of `jax.jit`.

    ValueError with a mesh in context, RuntimeError for an unknown backend."""
    if not ctx_mesh.empty:
        raise ValueError("Mesh context manager should not be used with jit when backend or device "
                         "is also specified as an argument to jit.")
    if device is None:
        device = devices_of(backend)[0]
    if not isinstance(device, Device):
        raise OutOfScope("jax.jit(device=…) with what is no device", "use one of jax.devices()")
    place = SingleDeviceSharding(device)
    place._device_backend = True
    return ShardingSpec("in_shardings", place), ShardingSpec("out_shardings", place)


def moves_arguments(sharding: Any) -> bool:
    """Whether arguments are brought there wherever they are committed."""
    return isinstance(sharding, SingleDeviceSharding) and sharding._device_backend


def flatten_in_shardings(spec: ShardingSpec, tree: Any, avals: tuple, ctx_mesh: Any,
                         has_kwargs: bool, names: Any = None) -> tuple:
    """One sharding (or UNSPECIFIED) per argument leaf, checked against the types.

    Args:
      tree: structure of (args, kwargs). names: one name per leaf, for errors.

    Errors: ValueError when the tree is no prefix, has too many dimensions, or
    does not divide (IndivisibleError)."""
    wanted = spec.resolved(ctx_mesh)
    if wanted is UNSPECIFIED:
        return (UNSPECIFIED,) * len(avals)
    if not has_kwargs:
        tree = tree.children()[0]
    from simulator.trees import tree_errors
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
        from simulator.trees import tree_errors
        flat = tree_errors.flatten_axis_resources(
            pytrees.current(), f"pjit {spec.name}", tree, wanted, False)
    if wanted is not UNSPECIFIED:
        _check_avals(flat, avals, names, "pjit outputs")
    return flat


def _check_avals(shardings: tuple, avals: tuple, names: Any, what: str) -> None:
    for aval, s, name in zip(avals, shardings, names or ("",) * len(avals)):
        if s is UNSPECIFIED:
            continue
        path = f" with pytree key path {name}" if name else ""
        check_aval(s, aval.shape, f"One of {what}{path}")


def check_aval(sharding: Sharding, shape: tuple, who: str, uneven: bool = False) -> None:
    """ValueError or IndivisibleError when arrays of this shape cannot be placed so.

    Args:
      uneven: pieces may be of different size.
    """
    try:
        sharding.check_compatible_aval(shape)
    except ValueError as error:
        raise ValueError(f"{who} is incompatible with its sharding annotation {sharding}: "
                         f"{error}") from None
    if uneven:
        return
    try:
        sharding.shard_shape(shape)
    except IndivisibleError as error:
        raise IndivisibleError(f"{who} was given the sharding {error}. This error occurs at "
                               f"source:  {source.callsite()}") from None
