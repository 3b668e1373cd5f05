"""Which devices a computation runs on, and where its results end up.

JAX source: `jax/_src/interpreters/pxla.py: _get_and_check_device_assignment,
_concretize_abstract_out_shardings, maybe_recover_user_shardings,
finalize_shardings`; `jax/_src/stages.py: _device_assignment_mismatch_error`;
`jax/_src/dispatch.py: get_intermediate_shardings`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from simulator.errors import OutOfScope
from simulator.jaxprs.jaxpr import Eqn, Jaxpr, subjaxprs
from simulator.placement import hlo_sharding
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
from simulator.running import source


class Side(NamedTuple):
    """One of two device lists that contradict each other.

    devices: the list, or the size of an abstract mesh. kind: ``argument``,
    ``explicit output sharding``, ``context mesh``, or a primitive's name.
    place: where an equation inside was written, None for other kinds."""

    devices: Any
    kind: str
    place: str | None = None

    def where(self) -> str:
        """The devices as the message names them."""
        if isinstance(self.devices, int):
            return f"as AbstractMesh of size {self.devices}"
        return f"with device ids {[d.id for d in self.devices]} on platform CPU"

    def text(self) -> str:
        """One side of the message: what it is, its devices, its place in the program."""
        if self.kind == "context mesh":
            return f" jit's context mesh {self.where()}"
        kind = self.kind if self.kind.startswith("explicit") else (
            "ARG_SHARDING" if self.kind == "argument" else f"{self.kind} inside jit")
        at = "" if self.place is None else f" at {self.place}"
        return f" {kind} {self.where()}{at}"


class DeviceMismatch(Exception):
    """Arguments, results or constraints on different devices; `first` and `second` say which."""

    def __init__(self, first: Side, second: Side):
        super().__init__(first, second)
        self.first, self.second = first, second

    def located(self, jaxpr: Jaxpr) -> DeviceMismatch:
        """The same, with the equations of `jaxpr` that are to blame."""
        def find(side: Side) -> Side:
            for s, eqn in _intermediate(jaxpr):
                if side.kind == _INSIDE and s is not UNSPECIFIED and s.devices == side.devices:
                    place = eqn.context.place if eqn.context else ()
                    with source.pretending(place):
                        return Side(side.devices, eqn.primitive.name, source.callsite())
            return side
        return DeviceMismatch(find(self.first), find(self.second))


def mismatch_error(fun_name: str, mismatch: DeviceMismatch, placed: list) -> ValueError:
    """The error that the user sees.

    Args:
      placed: [(argument name, its devices or None, its type), …].
    """
    found = []
    for side in (mismatch.first, mismatch.second):
        for name, devices, aval in placed:
            if side.kind == "argument" and devices == side.devices:
                found.append(f"argument {name} of {fun_name} with shape {aval.str_short()} and "
                             f"{side.where()}")
                break
    if len(found) == 2:
        text = f" Got {found[0]} and {found[1]}"
    elif found:
        left = mismatch.second if mismatch.first.kind == "argument" else mismatch.first
        text = f" Got {found[0]} and{left.text()}"
    else:
        text = f" Got{mismatch.first.text()} and{mismatch.second.text()}"
    return ValueError(f"Received incompatible devices for jitted computation.{text}")


def finalize_arg_sharding(placed: Any, committed: bool) -> Any:
    """The sharding of an argument as keys see it: UNSPECIFIED unless committed."""
    if placed is UNSPECIFIED or committed:
        return placed
    if placed.num_devices == 1:
        return UNSPECIFIED
    raise OutOfScope("an uncommitted array on several devices", "place it with jax.device_put")


def check_same_hlo_sharding(asked: Any, placed: Any, arg: Any) -> None:
    """ValueError when a committed argument is not where ``in_shardings`` wants it."""
    if not placed._is_concrete:
        return
    ndim = len(arg.shape)
    if not hlo_sharding.equal(asked._to_xla_hlo_sharding(ndim), placed._to_xla_hlo_sharding(ndim)):
        aval = arg.aval() if callable(arg.aval) else arg.aval
        raise ValueError("Sharding passed to jit does not match the sharding on the respective "
                         f"arg. Got jit sharding: {asked},\narg sharding: {placed} for arg type: "
                         f"{aval}")


_INSIDE = "sharding_constraint"


def _intermediate(jaxpr: Jaxpr) -> list[tuple[Any, Eqn]]:
    out = []
    for eqn in jaxpr.eqns:
        name, p = eqn.primitive.name, eqn.params
        if name == "sharding_constraint":
            s = p["sharding"]
            if not (isinstance(s, NamedSharding) and isinstance(s.mesh, AbstractMesh)):
                out.append((s, eqn))
        elif name == "jit":
            out.extend((s, eqn) for s in (*p["in_shardings"], *p["out_shardings"]))
        elif name == "shard_map" and not isinstance(p["mesh"], AbstractMesh):
            out.extend((NamedSharding(p["mesh"], spec), eqn)
                       for spec in (*p["in_specs"], *p["out_specs"]))
        for sub in subjaxprs(p):
            out.extend(_intermediate(sub))
    return out


def shardings_inside(jaxpr: Jaxpr) -> tuple:
    """The shardings that a jaxpr mentions: each once, in order, UNSPECIFIED left out."""
    return tuple(dict.fromkeys(s for s, _ in _intermediate(jaxpr) if s is not UNSPECIFIED))


def device_assignment(in_shardings: tuple, out_shardings: tuple, inside: tuple, ctx_mesh: Any,
                      default_device: Any, devices: list, platforms: tuple | None) -> tuple:
    """The devices of a computation, in order.

    All shardings must agree on them, and with the mesh in context; without any,
    it is the default device. DeviceMismatch when they disagree, ValueError when
    only abstract meshes are known and no `platforms` to lower for."""
    first: Side | None = None
    abstract = ctx_mesh if isinstance(ctx_mesh, AbstractMesh) and not ctx_mesh.empty else None
    concrete = isinstance(ctx_mesh, Mesh) and not ctx_mesh.empty
    sources = [*((s, "argument") for s in in_shardings),
               *((s, "explicit output sharding") for s in out_shardings),
               *((s, _INSIDE) for s in inside)]
    for sharding, kind in sources:
        if sharding is UNSPECIFIED:
            continue
        if isinstance(sharding, NamedSharding) and isinstance(sharding.mesh, AbstractMesh):
            mesh = sharding.mesh
            if abstract is not None and not mesh.empty and abstract.size != mesh.size:
                raise ValueError("AbstractMesh should be of the same size across all shardings. "
                                 f"Got {abstract} and {mesh}")
            abstract = mesh
            continue
        side = Side(sharding.devices, kind)
        first = first or side
        if ctx_mesh.empty:
            if first.devices != side.devices:
                raise DeviceMismatch(first, side)
        elif isinstance(ctx_mesh, AbstractMesh):
            if ctx_mesh.size != len(side.devices):
                raise DeviceMismatch(Side(ctx_mesh.size, "context mesh"), side)
        elif ctx_mesh._flat_devices_tuple != side.devices:
            raise DeviceMismatch(Side(ctx_mesh._flat_devices_tuple, "context mesh"), side)
    if first is not None:
        chosen = first.devices
    elif concrete:
        chosen = ctx_mesh._flat_devices_tuple
    else:
        named = isinstance(default_device, str) or default_device is None
        chosen = (devices[0] if named else default_device,)
    if abstract is not None:
        if not concrete and first is None:
            if platforms is not None:
                raise OutOfScope("lowering for an AbstractMesh without devices",
                                 "enter a mesh with jax.set_mesh")
            raise ValueError(
                "Passing lowering_platforms via jax.export or jit(f).trace(*args).lower("
                "lowering_platforms=...) is required when only AbstractMesh exists in a jitted "
                f"computation. Got context mesh: {ctx_mesh}")
        if len(chosen) != abstract.size:
            raise ValueError(f"AbstractMesh size: {abstract.size} does not match the device "
                             f"assignment size: {len(chosen)}")
    return chosen


def check_result_meshes(out_avals: Any, devices: tuple) -> None:
    """ValueError when the type of a result needs more devices than there are."""
    for aval in out_avals:
        mesh = getattr(aval, "mesh", None)
        if mesh is not None and mesh.are_all_axes_explicit and mesh.size != len(devices):
            raise ValueError(
                f"Length of device assignment {len(devices)} is not equal to the size of the mesh "
                f"{mesh.size} of aval {aval.str_short(True, True)}. Please enter your `jit` into "
                "a mesh context via `jax.set_mesh`.")


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
