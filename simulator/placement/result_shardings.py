"""Where the results of a computation end up, and the arguments that were left open.

JAX source: `jax/_src/interpreters/pxla.py: _concretize_abstract_out_shardings,
maybe_recover_user_shardings, finalize_shardings`.
"""

from __future__ import annotations

from typing import Any

from simulator.errors import OutOfScope
from simulator.jaxprs.jaxpr import Jaxpr
from simulator.placement.devices import DeviceArray
from simulator.placement.mesh_types import AbstractMesh, Mesh
from simulator.placement.partition_spec import UNCONSTRAINED, PartitionSpec
from simulator.placement.sharding_types import (
    UNSPECIFIED,
    ChosenByXla,
    GSPMDSharding,
    NamedSharding,
    SingleDeviceSharding,
)


def concrete_mesh(mesh: Any, devices: tuple) -> Mesh:
    """The mesh with the axes of `mesh` over these devices."""
    return Mesh(DeviceArray(devices, mesh.axis_sizes), mesh.axis_names, mesh.axis_types)


def _concretized(sharding: Any, devices: tuple) -> Any:
    if not isinstance(sharding, NamedSharding) or not isinstance(sharding.mesh, AbstractMesh):
        return sharding
    if sharding.mesh.size != len(devices):
        raise ValueError(f"The size of abstract mesh {sharding.mesh.size} in {sharding} must match "
                         f"the length of device assignment: {len(devices)}")
    return sharding.update(mesh=concrete_mesh(sharding.mesh, devices))


def concretize_out_shardings(out_shardings: tuple, out_avals: Any, devices: tuple) -> tuple:
    """Fills in what the types of results say: with Explicit axes they know their sharding."""
    out = []
    for s, aval in zip(out_shardings, out_avals):
        mesh = getattr(aval, "mesh", None)
        if s is UNSPECIFIED and mesh is not None and not mesh._are_all_axes_auto_or_manual:
            spec = tuple(aval.spec)
            if mesh._any_axis_auto:
                spec = tuple(UNCONSTRAINED if p is None else p for p in spec)
            s = NamedSharding(concrete_mesh(mesh, devices), PartitionSpec(*spec))
        out.append(s)
    return tuple(out)


def shardings_of_executable(in_shardings: tuple, out_shardings: tuple, in_avals: Any,
                            out_avals: Any, devices: tuple, inside: tuple, ctx_mesh: Any,
                            jaxpr: Jaxpr | None = None) -> tuple[list, list]:
    """(argument shardings, result shardings) of a compiled program, all concrete.

    Where nothing was asked for, XLA chooses; the model follows the choice through
    `jaxpr` (see `simulator.placement.spmd`) or leaves a `ChosenByXla`. JAX then gives the
    choice the kind of the first argument that has one: named, or single device."""
    ins = [_concretized(s, devices) for s in in_shardings]
    wanted = [_concretized(s, devices) for s in out_shardings]
    template = next((s for s in (*ins, *inside, *wanted)
                     if isinstance(s, (NamedSharding, SingleDeviceSharding))), None)
    if template is None and not ctx_mesh.empty:
        template = NamedSharding(_concretized(NamedSharding(ctx_mesh, PartitionSpec()),
                                              devices).mesh, PartitionSpec())
    ranks = {id(s): len(a.shape) for s, a in zip(reversed(ins), reversed(list(in_avals)))}
    rank = ranks.get(id(template))
    if len(devices) == 1:
        single = SingleDeviceSharding(devices[0])
        ins = [single if s is UNSPECIFIED or isinstance(s, GSPMDSharding) else s for s in ins]
        if not isinstance(template, NamedSharding):
            return ins, [single if s is UNSPECIFIED else s for s in wanted]
        return ins, [_recovered((), template, a, devices, rank) if s is UNSPECIFIED else s
                     for s, a in zip(wanted, out_avals)]
    given, chosen = None, None
    if jaxpr is not None:
        from simulator.placement import spmd
        given, chosen = spmd.specs(jaxpr, ins, wanted)
    outs = []
    for i, (s, aval) in enumerate(zip(wanted, out_avals)):
        if s is not UNSPECIFIED and not (isinstance(s, NamedSharding)
                                         and UNCONSTRAINED in s.spec.partitions):
            _check_shards(s, aval)
            outs.append(s)
            continue
        outs.append(_recovered(chosen[i] if chosen else None, template, aval, devices, rank))
    # XLA may cut arguments, too, where nothing was said: an array on one device is cut then.
    # In words of a mesh only if another argument has one.
    words = any(isinstance(s, NamedSharding) for s in ins)
    found = [_recovered(given[i] if given else None, template, aval, devices, rank)
             if s is UNSPECIFIED else _named(s, template)
             for i, (s, aval) in enumerate(zip(ins, in_avals))]
    return [f if words or f is s else _without_words(f, aval, devices)
            for s, f, aval in zip(ins, found, in_avals)], outs


def _check_shards(asked: Any, aval: Any) -> None:
    # XLA gives every device all of an empty array; JAX 0.11.1 then fails to read it.
    shape = tuple(aval.shape)
    if 0 in shape and isinstance(asked, NamedSharding) and asked.shard_shape(shape) != shape:
        raise OutOfScope(f"an empty result of shape {shape} cut over devices",
                         "leave its sharding open, or ask for PartitionSpec()")


def _without_words(s: Any, aval: Any, devices: tuple) -> Any:
    if not isinstance(s, NamedSharding):
        return s
    return GSPMDSharding(devices, s._to_xla_hlo_sharding(len(aval.shape)), memory_kind="device")


def _named(s: Any, template: Any) -> Any:
    """A replicated GSPMD sharding in the words of a mesh, when there is one."""
    if isinstance(s, GSPMDSharding) and isinstance(template, NamedSharding) \
            and s.is_fully_replicated:
        return NamedSharding(template.mesh, PartitionSpec())
    return s


def _recovered(spec: Any, template: Any, aval: Any, devices: tuple, rank: int | None) -> Any:
    """A choice of XLA, put into words of the user's mesh.

    rank: dimensions of the argument that `template` belongs to, if it is one's."""
    if spec is None:
        return ChosenByXla(devices, "its rules of propagation are not modelled")
    if not isinstance(template, NamedSharding):
        return GSPMDSharding.replicated(devices) if not any(spec) else ChosenByXla(
            devices, "no mesh is named")
    typed = getattr(aval, "mesh", None)
    mesh = template.mesh if typed is None else concrete_mesh(typed, devices)
    found = NamedSharding(mesh, PartitionSpec(*_trimmed(spec)))
    # A type with that argument's mesh, and the same layout: JAX reuses its sharding.
    if typed is not None and rank == len(aval.shape) and template.mesh is mesh \
            and found.is_equivalent_to(template, rank):
        return template
    return found


def _trimmed(spec: tuple) -> tuple:
    end = len(spec)
    while end and not spec[end - 1]:
        end -= 1
    return spec[:end]
