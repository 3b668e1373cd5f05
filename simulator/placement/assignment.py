"""Which devices a computation runs on.

JAX source: `jax/_src/interpreters/pxla.py: _get_and_check_device_assignment`.
"""

from __future__ import annotations

from typing import Any

from simulator.errors import OutOfScope
from simulator.placement import hlo_sharding
from simulator.placement.device_mismatch import DeviceMismatch, Side
from simulator.placement.inside import INSIDE
from simulator.placement.mesh_types import AbstractMesh, Mesh
from simulator.placement.sharding_types import UNSPECIFIED, NamedSharding


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
               *((s, INSIDE) for s in inside)]
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
