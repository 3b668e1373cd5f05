"""Cutting an array that lives on one device into the pieces of a mesh.

An array on one device that goes to several is cut by a jitted function of the
library, ``_multi_slice``, with its own lookups in all caches: every call that
mixes such an array with sharded ones pays for it, hits of the fast path too.
A replicated target needs no cutting, and neither does an array of NumPy.

JAX source: ``jax/_src/array.py: _array_shard_arg, shard_device_array``,
``jax/_src/numpy/array_methods.py: _multi_slice``, ``jax/_src/dispatch.py:
_different_device_order_reshard``.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from simulator.device_arrays.arrays import Array
from simulator.errors import OutOfScope
from simulator.placement import mesh as meshes
from simulator.placement.mesh_types import Mesh, empty_abstract_mesh, empty_concrete_mesh
from simulator.placement.shardings import NamedSharding, Sharding, aval_with_sharding


@functools.cache
def _multi_slice() -> Any:
    from simulator.api import jit
    from simulator.primitives.shapes import squeeze_p
    from simulator.primitives.slicing import slice_p

    @functools.partial(jit, static_argnums=(1, 2, 3))
    def _multi_slice(self, start_indices, limit_indices, removed_dims):
        results = []
        for starts, limits, removed in zip(start_indices, limit_indices, removed_dims):
            piece = slice_p.bind(self, start_indices=starts, limit_indices=limits, strides=None)
            results.append(squeeze_p.bind(piece, dimensions=removed) if removed else piece)
        return results

    return _multi_slice


def cut(args: Sequence[Any], targets: Sequence[Any]) -> None:
    """Run what bringing `args` to the shardings `targets` runs; the pieces are not kept."""
    for x, target in zip(args, targets):
        if not isinstance(x, Array) or not isinstance(target, Sharding):
            continue
        if target.num_devices == 1 or x.sharding.num_devices != 1 or target.is_fully_replicated:
            continue
        # The words of a key array are what is cut; a key's own words stay together.
        words = getattr(x, "_base_array", x)
        starts, limits = zip(*(_bounds(words.shape, place) for place in
                               target.devices_indices_map(x.shape).values()))
        with meshes.internal_use_concrete_mesh(empty_concrete_mesh), \
                meshes.use_abstract_mesh(empty_abstract_mesh):
            _multi_slice()(words, starts, limits, ((),) * len(starts))


def _bounds(shape: tuple, place: tuple) -> tuple[tuple, tuple]:
    kept = (*place, *[slice(None)] * (len(shape) - len(place)))
    return (tuple(p.start or 0 for p in kept),
            tuple(n if p.stop is None else p.stop for n, p in zip(shape, kept)))


def _device_put_reshard(x: Any) -> Any:
    return x


def reorders(x: Any, target: Any) -> bool:
    """Whether `target` has the devices of the array `x` in another order."""
    return (isinstance(x, Array) and isinstance(target, Sharding) and target.num_devices > 1
            and target.devices != x.sharding.devices
            and target.device_set == x.sharding.device_set)


def reorder(x: Array, target: NamedSharding) -> Array:
    """`x` at `target`, by a jitted function; the same devices in another order."""
    from simulator.api import jit
    if not x.sharding.is_fully_replicated:
        raise OutOfScope("jax.device_put of a sharded array to the same devices in another order",
                         "keep one order of devices")
    old = x.sharding.mesh
    mesh = Mesh(target.mesh.devices.reshape(old.axis_sizes), old.axis_names)
    place = NamedSharding(mesh, x.sharding.spec)
    moved = Array(aval_with_sharding(x.aval.update(mesh=None, spec=None), place), x.storage(),
                  place, x.committed)
    return jit(_device_put_reshard, out_shardings=target)(moved)
