"""Shardings as the caches use them: how they are compared, what types keep of them.

The classes are in `simulator.placement.sharding_types`, the arguments of `jax.jit` in
`simulator.placement.sharding_args`, the devices that follow from them in
`simulator.placement.assignment`, what a compiled program makes of them in
`simulator.placement.result_shardings`. Everything is importable from here.

Which comparison is used where:

* fast path: `placements` (the mesh by pointer);
* lower: ``==`` (spec object, mesh object): ``P('x')`` is not ``P('x', None)``;
* hlo: `SemanticallyEqualShardings` (the layout only; devices and names aside).

JAX source: `jaxlib/jax_jit.cc: EqualShardingsForJit`;
`jax/_src/interpreters/pxla.py: SemanticallyEqualShardings`;
`jax/_src/core.py: update_aval_with_sharding, get_sharding`.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.placement.assignment import (  # noqa: F401
    check_result_meshes,
    check_same_hlo_sharding,
    device_assignment,
    finalize_arg_sharding,
)
from simulator.placement.device_mismatch import DeviceMismatch, mismatch_error  # noqa: F401
from simulator.placement.inside import shardings_inside  # noqa: F401
from simulator.placement.mesh_types import AxisType
from simulator.placement.partition_spec import UNCONSTRAINED, PartitionSpec
from simulator.placement.result_shardings import (  # noqa: F401
    concretize_out_shardings,
    shardings_of_executable,
)
from simulator.placement.sharding_args import (  # noqa: F401
    ShardingSpec,
    check_aval,
    flatten_in_shardings,
    flatten_out_shardings,
    moves_arguments,
)
from simulator.placement.sharding_types import (  # noqa: F401
    UNSPECIFIED,
    ChosenByXla,
    DuplicateSpecError,
    GSPMDSharding,
    IndivisibleError,
    NamedSharding,
    Sharding,
    SingleDeviceSharding,
    check_unique_axes,
    equivalent,
)

# --- comparisons -------------------------------------------------------------

def placement(sharding: Any) -> Any:
    """What the fast path compares of where an array lives (None: not a `jax.Array`).

    The mesh and the device by pointer, the spec too, since equal specs are one
    object; other shardings by ``==``. The pointers mean something as long as the
    sharding is held."""
    if type(sharding) is SingleDeviceSharding:
        return SingleDeviceSharding, id(sharding._device)
    if type(sharding) is NamedSharding:
        return NamedSharding, id(sharding.mesh), id(sharding.spec)
    return sharding


def placements(shardings: tuple) -> tuple:
    """`placement` of each argument."""
    return tuple(map(placement, shardings))


class SemanticallyEqualShardings:
    """A tuple of shardings, compared by the layout they give arrays of these ranks.

    Devices do not matter, only how many pieces go in which order."""

    __slots__ = ("shardings", "avals")

    def __init__(self, shardings: tuple, avals: tuple):
        self.shardings, self.avals = shardings, avals

    def __hash__(self):
        return hash(tuple([s if s is UNSPECIFIED else
                          (s._to_xla_hlo_sharding(len(a.shape)), s.memory_kind)
                          for s, a in zip(self.shardings, self.avals)]))

    def __eq__(self, other):
        if not isinstance(other, SemanticallyEqualShardings):
            return False
        return all(equivalent(s, o, len(a.shape))
                   if s is not UNSPECIFIED and o is not UNSPECIFIED else s is o
                   for s, o, a in zip(self.shardings, other.shardings, self.avals))


# --- types -------------------------------------------------------------------

def explicit_spec(sharding: NamedSharding, shape: tuple) -> PartitionSpec:
    """The part of a spec that the type of an array keeps: Explicit axes, one entry per
    dimension. ValueError when it is too long or a dimension does not divide."""
    mesh, ndim = sharding.mesh.abstract_mesh, len(shape)
    kinds, sizes = mesh._name_to_type, mesh.shape
    parts = [None if p is UNCONSTRAINED else p for p in sharding.spec.partitions]
    if not mesh.are_all_axes_explicit:
        parts = [p and tuple(n for n in (p if isinstance(p, tuple) else (p,))
                             if kinds[n] is AxisType.Explicit) for p in parts]
    spec = PartitionSpec(*parts, *[None] * (ndim - len(parts)))
    if len(spec) > ndim and (mesh.empty or mesh._are_all_axes_auto_or_manual):
        spec = PartitionSpec(*spec.partitions[:ndim])
    if len(spec) != ndim:
        raise ValueError(f"Length of sharding.spec ({len(spec)}) must be equal to aval's ndim "
                         f"({ndim}). Got sharding.spec {spec}, aval.ndim {ndim} and sharding "
                         f"{NamedSharding(mesh, spec)}")
    for dim, (part, size) in enumerate(zip(spec.partitions, shape)):
        names = () if part is None else part if isinstance(part, tuple) else (part,)
        pieces = math.prod(sizes[n] for n in names)
        if size % pieces:
            raise ValueError(
                f"Sharding spec {names} implies that array axis {dim} is partitioned {pieces} "
                f"times, but does not evenly divide the dimension size {size}. Got shape: "
                f"{shape} and sharding {NamedSharding(mesh, spec)}")
    return spec


def aval_with_sharding(aval: Any, sharding: Any) -> Any:
    """The array type with the mesh (and Explicit axes) of a named sharding in it.

    Other shardings leave the type as it is. Errors as `explicit_spec`."""
    if not isinstance(sharding, NamedSharding):
        return aval
    return aval.update(mesh=sharding.mesh.abstract_mesh,
                       spec=explicit_spec(sharding, aval.shape))


def shard_aval(aval: Any, sharding: Any = UNSPECIFIED) -> Any:
    """The type of the piece on one device, without mesh; unspecified: the whole."""
    if sharding is UNSPECIFIED:
        return aval
    return aval.update(shape=sharding.shard_shape(aval.shape), mesh=None, spec=None)


# --- texts -------------------------------------------------------------------

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
