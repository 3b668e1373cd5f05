"""``jax.make_array_from_callback`` and ``jax.make_array_from_single_device_arrays``.

An array is made of pieces that are there already: nothing is traced and nothing runs.

JAX source: ``jax/_src/array.py: make_array_from_callback,
make_array_from_single_device_arrays, _get_and_check_dtype``.

Simplified: an `Array` keeps its numbers once, so pieces that should be equal have to be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simulator.device_arrays.arrays import Array
from simulator.device_arrays.values import abstractify, storage, x64
from simulator.errors import OutOfScope, UnexpectedTracerError
from simulator.facade.numpy import zeros
from simulator.jaxprs.tracer import Tracer
from simulator.ndarrays.ndarray import NDArray
from simulator.placement import shardings
from simulator.types import dtypes
from simulator.types.avals import ShapedArray


def make_array_from_callback(shape: Sequence[int], sharding: Any, data_callback: Callable,
                             dtype: Any = None) -> Array:
    """``jax.make_array_from_callback``: `data_callback` gets the slices of each piece.

    Errors: TypeError for what is no sharding, ValueError for pieces that do not fit.
    """
    if not isinstance(sharding, shardings.Sharding):
        raise TypeError(f"sharding should be an instance of `jax.sharding`. Got {sharding} of type "
                        f"{type(sharding)}")
    shape = tuple(shape)

    def get_data(index: tuple) -> Any:
        piece = data_callback(index)
        if isinstance(piece, Tracer):
            raise UnexpectedTracerError("jax.make_array_from_callback cannot be called within a "
                                        "traced context.")
        return piece

    if sharding.is_fully_replicated:
        index = (slice(None),) * len(shape)
        pieces = {index: get_data(index)}
        first = pieces[index]
        if isinstance(first, Array) and first.committed and first.sharding == sharding:
            return first
    else:
        # Every device asks for its own piece.
        pieces = {index: get_data(index)
                  for _, index in _by_device(sharding, shape)}
    return _made(shape, sharding, pieces, dtype, "make_array_from_callback")


def _by_device(sharding: Any, shape: tuple) -> list[tuple[Any, tuple]]:
    return list(sharding.devices_indices_map(shape).items())


def make_array_from_single_device_arrays(shape: Sequence[int], sharding: Any,
                                         arrays: Sequence[Array], *, dtype: Any = None) -> Array:
    """``jax.make_array_from_single_device_arrays``: the pieces, one on each device.

    Errors: TypeError and ValueError for what is no list of fitting arrays.
    """
    if isinstance(arrays, (Array, NDArray)):
        raise TypeError("arrays should be a list of `jax.Array`")
    shape = tuple(shape)
    where = _by_device(sharding, shape)
    by_device = {next(iter(a.devices())): a for a in arrays}
    if len(arrays) != len(where) or set(by_device) != {device for device, _ in where}:
        raise OutOfScope("jax.make_array_from_single_device_arrays of pieces on other devices",
                         "give one array on each device of the sharding")
    pieces: dict = {}
    for device, index in where:
        known = pieces.setdefault(index, by_device[device])
        if storage(known).tolist() != storage(by_device[device]).tolist():
            raise OutOfScope("an array whose replicas differ", "give equal pieces")
    return _made(shape, sharding, pieces, dtype, "make_array_from_single_device_arrays")


def _made(shape: tuple, sharding: Any, pieces: dict, dtype: Any, name: str) -> Array:
    kinds = [abstractify(p) for p in pieces.values()]
    if dtype is None:
        dtype = kinds[0].dtype
    else:
        dtype = dtypes.canonicalize(dtypes.dtype(dtype), x64())
        if kinds[0].dtype is not dtype:
            raise ValueError(
                f"If `dtype` is provided to `jax.{name}`, it must match the dtype of the "
                f"addressable shards. Got dtype={dtype} and shard dtype={kinds[0].dtype}`.")
    aval = shardings.aval_with_sharding(ShapedArray(shape, dtype), sharding)
    wanted = sharding.shard_shape(shape)
    whole = zeros(shape, dtype)
    for (index, piece), kind in zip(pieces.items(), kinds):
        if kind.dtype is not dtype:
            raise ValueError("Input buffers to `Array` must have matching dtypes. Got "
                             f"{kind.dtype}, expected {dtype} for buffer: {piece}")
        if kind.shape != wanted:
            raise ValueError(
                f"Expected shard shape {wanted} doesn't match the single device array shape "
                f"{kind.shape}. Shape of Array is {aval.str_short()} with sharding {sharding}")
        whole[index] = storage(piece, kind)
    return Array(aval, whole, sharding, True)
