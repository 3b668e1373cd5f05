"""Putting numbers on devices: `jax.device_put` and where new arrays live.

JAX source: ``jax/_src/api.py: device_put``, ``jax/_src/dispatch.py:
_device_put_impl, device_put_p``.

Simplified: no memory kinds, no layouts.
"""

from __future__ import annotations

from typing import Any

from simulator import process
from simulator.device_arrays import transfers
from simulator.device_arrays.arrays import Array, any_array
from simulator.device_arrays.values import abstractify, storage
from simulator.errors import OutOfScope
from simulator.jaxprs.tracer import Tracer
from simulator.ndarrays.ndarray import NDArray
from simulator.placement import mesh, resharding, shardings
from simulator.placement.devices import Device
from simulator.primitives.core import Primitive
from simulator.trees import pytrees
from simulator.types.avals import ShapedArray


def default_device() -> Device:
    """``jax_default_device``, else the first device."""
    here = process.current()
    chosen = here.config.value("jax_default_device")
    if isinstance(chosen, str):
        return here.devices[0]
    return chosen if chosen is not None else here.devices[0]


def new_array(value: NDArray, aval: ShapedArray | None = None) -> Array:
    """An uncommitted array on the default device."""
    aval = aval or ShapedArray(value.shape, value.dtype)
    return Array(aval, value, shardings.SingleDeviceSharding(default_device()), False)


def from_host(value: NDArray) -> Array:
    """What the library brings to the default device by itself. JaxRuntimeError from a guard."""
    transfers.check_hosts([value], [shardings.SingleDeviceSharding(default_device())])
    return new_array(value.copy(), abstractify(value))


def place(x: Any, target: Any) -> Array:
    """`x` as an array at `target` (a sharding, a device, or None for "wherever it is").

    A sharding decides the mesh in the type, and who is there already stays the same array;
    a device leaves the type alone and makes a new array always.

    Errors: ValueError when the sharding does not fit the shape; RuntimeError for
    a deleted array.
    """
    aval = abstractify(x)
    if target is None and isinstance(x, Array):
        return x
    numbers = storage(x, aval)
    if target is None:
        transfers.check_explicit(
            x, shardings.SingleDeviceSharding(default_device()))
        return new_array(numbers.copy(), aval)
    # The type comes first: an axis that is Explicit has its own words for what does not divide.
    placed = _typed(aval, target)
    if isinstance(target, Device):
        target = shardings.SingleDeviceSharding(target)
    else:
        shardings.check_aval(target, aval.shape, "One of device_put args")
        if isinstance(x, Array) and x.committed and x.sharding == target:
            return x
    transfers.check_explicit(x, target)
    return any_array(placed, numbers if isinstance(x, Array) else numbers.copy(), target, True)


def _typed(aval: ShapedArray, target: Any) -> ShapedArray:
    """The type of what is placed (JAX's ``update_dp_aval``)."""
    if not isinstance(target, shardings.Sharding):
        return aval
    return shardings.aval_with_sharding(aval.update(mesh=None, spec=None), target)


def _target(device: Any) -> Any:
    if device is None or isinstance(device, (Device, shardings.Sharding)):
        return device
    if isinstance(device, shardings.PartitionSpec):
        current = mesh.get_concrete_mesh()
        if current.empty:
            raise ValueError("Please set a mesh via `jax.set_mesh` if a PartitionSpec is passed "
                             "to device_put")
        return shardings.NamedSharding(current, device)
    raise OutOfScope(f"jax.device_put(…, {type(device).__name__})",
                     "give a device or a sharding")


def device_put(x: Any, device: Any = None, *, src: Any = None, donate: bool = False,
               may_alias: bool | None = None) -> Any:
    """``jax.device_put`` for pytrees; `device` is one device or sharding, or a prefix tree."""
    if src is not None or donate:
        raise OutOfScope("jax.device_put(src=…, donate=…)", "leave them out")
    leaves, tree = pytrees.tree_flatten(x)
    for leaf in leaves:
        abstractify(leaf)
    if device is None or isinstance(device, (Device, shardings.Sharding)):
        targets = [device] * len(leaves)
    else:
        targets = pytrees.broadcast_prefix(device, x, is_leaf=lambda d: d is None)
    placed = device_put_p.bind(*leaves, devices=tuple(map(_target, targets)),
                               srcs=(None,) * len(leaves),
                               copy_semantics=(_ALIAS,) * len(leaves)) if leaves else []
    return tree.unflatten(placed)


class _CopySemantics:
    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return f"ArrayCopySemantics.{self.name}"


_ALIAS = _CopySemantics("REUSE_INPUT")
ALWAYS_COPY = _CopySemantics("ALWAYS_COPY")


def _abstract(*avals: ShapedArray, devices: tuple, **params: Any) -> list:
    return [_typed(a, d) for a, d in zip(avals, devices)]


def _eager(*args: Any, devices: tuple, **params: Any) -> list:
    placed = [resharding.reorder(x, d) if resharding.reorders(x, d) else place(x, d)
              for x, d in zip(args, devices)]
    resharding.cut(args, devices)
    return placed


device_put_p = Primitive("device_put", abstract=_abstract, multiple_results=True,
                         impl=lambda *values, **params: list(values))
device_put_p.eager = _eager


def block_until_ready(tree: Any) -> Any:
    """``jax.block_until_ready``: wait for every array of a pytree."""
    for leaf in pytrees.tree_leaves(tree):
        if isinstance(leaf, (Array, Tracer)):
            leaf.block_until_ready()
    return tree


def device_get(tree: Any) -> Any:
    """``jax.device_get``: NumPy copies."""
    return pytrees.tree_map(
        lambda leaf: leaf.numpy() if isinstance(leaf, Array) else leaf, tree)
