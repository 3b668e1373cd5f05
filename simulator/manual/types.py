"""Types on both sides of `jax.shard_map`: of the whole array, and of one device's part.

Inside, the mesh axes that the function is written for are of the kind Manual, and a type
says over which of them its value may differ from device to device.

JAX source: ``jax/_src/shard_map.py: _shard_shaped_array, _unshard_shaped_array,
_as_manual_mesh, _extend_axis_env, _spec_to_names``; ``jax/_src/core.py:
ShapedArray.nospec, modify_spec_for_auto_manual``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from simulator.configuration.axis_env import AxisEnv
from simulator.jaxprs import applying
from simulator.placement import mesh as meshes
from simulator.placement.mesh_types import AbstractMesh, AxisType
from simulator.placement.partition_spec import PartitionSpec
from simulator.primitives.ambient import state
from simulator.types.avals import ShapedArray


def spec_names(spec: PartitionSpec) -> dict[int, tuple]:
    """Per dimension that a spec cuts, the mesh axes."""
    return {i: part if isinstance(part, tuple) else (part,)
            for i, part in enumerate(spec.partitions) if part is not None}


def spec_axes(spec: PartitionSpec) -> frozenset:
    """All mesh axes in a spec."""
    return frozenset(spec.names())


def in_order(mesh: Any, names: Iterable) -> tuple:
    """Axis names in the order of the mesh."""
    names = set(names)
    return tuple(n for n in mesh.axis_names if n in names)


def axes_spec(mesh: Any, names: Iterable) -> PartitionSpec:
    """The spec that cuts the first dimension by all of these axes."""
    return PartitionSpec(in_order(mesh, names))


def spec_of_residual(aval: ShapedArray, mesh: Any, check_vma: bool, names: tuple
                     ) -> PartitionSpec:
    """How a value that has no spec of its own leaves the function: along its first axis."""
    names = in_order(mesh, aval.varying) if check_vma else names
    return PartitionSpec(names) if names else PartitionSpec()


def manual_mesh(mesh: Any, axes: Iterable) -> AbstractMesh:
    """The mesh as the function sees it."""
    return mesh.abstract_mesh.update_axis_types(dict.fromkeys(axes, AxisType.Manual))


@contextmanager
def inside(mesh: Any, newly_manual: frozenset, check_vma: bool) -> Iterator[None]:
    """Inside, collectives know the axes, and types say how values vary if that is checked."""
    axes = newly_manual | set(mesh.manual_axes)
    env = state("axis_env_state", AxisEnv()).extend(
        [(n, s) for n, s in mesh.shape.items() if n in axes])
    with applying.states(axis_env_state=env, check_vma=check_vma,
                         abstract_mesh_context_manager=manual_mesh(mesh, newly_manual)):
        yield


def explicit_only(spec: Iterable, mesh: Any) -> tuple:
    """A spec without the axes that types do not follow."""
    kinds = mesh._name_to_type

    def kept(part: Any) -> Any:
        if isinstance(part, tuple):
            return tuple(p for p in part if kinds[p] is AxisType.Explicit) or None
        return part if part is not None and kinds[part] is AxisType.Explicit else None
    return tuple(map(kept, spec))


def shard(mesh: Any, newly_manual: frozenset, check_vma: bool, spec: PartitionSpec,
          aval: ShapedArray) -> ShapedArray:
    """The type of one device's part."""
    names = spec_names(spec)
    shape = tuple(n // math.prod(mesh.shape[a] for a in names.get(i, ()))
                  for i, n in enumerate(aval.shape))
    inner = manual_mesh(mesh, newly_manual)
    varying = (spec_axes(spec) if check_vma else frozenset()) | aval.varying
    return aval.update(shape=shape, mesh=inner, spec=explicit_only(aval.spec, inner),
                       varying=varying)


def unshard(mesh: Any, check_vma: bool, spec: PartitionSpec, aval: ShapedArray) -> ShapedArray:
    """The type of the whole array, of which `aval` is one device's part."""
    names = spec_names(spec)
    shape = tuple(n * math.prod(mesh.shape[a] for a in names.get(i, ()))
                  for i, n in enumerate(aval.shape))
    outer = meshes.get_abstract_mesh()
    outer = mesh.abstract_mesh if outer.empty else outer
    parts = []
    for i, inner in enumerate(aval.spec or (None,) * len(shape)):
        inner = inner if inner is None or isinstance(inner, tuple) else (inner,)
        parts.append((*names.get(i, ()), *(inner or ())) or None)
    parts = [p[0] if p is not None and len(p) == 1 else p for p in parts]
    return aval.update(shape=shape, mesh=outer, spec=explicit_only(parts, outer),
                       varying=aval.varying & frozenset(outer.manual_axes))


def new_axes(mesh: Any, manual: frozenset) -> tuple:
    """The axes that become manual here, without those that were before.

    JAX source: ``jax/_src/shard_map.py: _all_newly_manual_mesh_names``.
    """
    env = state("axis_env_state", AxisEnv())
    context = meshes.get_abstract_mesh()
    if context.empty:
        before = set(env.axis_sizes)
    else:
        mesh, before = context, set(context.manual_axes)
    before |= env.spmd_axis_names
    return tuple(n for n in mesh.axis_names if n not in before and n in manual)
