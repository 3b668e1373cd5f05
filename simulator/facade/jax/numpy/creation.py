"""Arrays from nothing: zeros, ones, full, eye, tri …

Most are no jitted functions: eagerly each step is an operation of its own.

JAX source: ``jax/_src/numpy/array_creation.py``; ``jax/_src/numpy/lax_numpy.py:
eye, identity, tri, indices, meshgrid``.
"""

from __future__ import annotations

import operator
import types
from typing import Any

from simulator.device_arrays.device_put import device_put
from simulator.facade.jax.lax import base, shapes
from simulator.facade.jax.lax import convert as conv
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.numpy import util
from simulator.facade.jax.numpy.constructors import array, asarray
from simulator.facade.jax.numpy.util import (
    broadcast_to,
    check_arraylike,
    ensure_array,
    place_argument,
)
from simulator.placement.sharding_types import SingleDeviceSharding
from simulator.types import dtypes


def _shape(wanted: Any) -> tuple[int, ...]:
    if not isinstance(wanted, (tuple, list)) and (
            getattr(wanted, "ndim", None) == 0 or base.ndim(wanted) == 0):
        return base.canonical_shape((wanted,))
    return base.canonical_shape(wanted)


def _check_call(name: str, shape: Any, dtype: Any) -> None:
    if isinstance(shape, types.GeneratorType) and name != "empty":
        raise TypeError("expected sequence object with len >= 0 or a single integer")
    if isinstance(dtype, int) and isinstance(shape, int):
        raise TypeError(
            f"Cannot interpret '{dtype}' as a data type.\n\nDid you accidentally write "
            f"`jax.numpy.{name}({shape}, {dtype})` when you meant "
            f"`jax.numpy.{name}(({shape}, {dtype}))`, i.e. with a single tuple argument for the "
            "shape?")


def zeros(shape, dtype=None, *, device=None, out_sharding=None):
    """``jax.numpy.zeros``."""
    _check_call("zeros", shape, dtype)
    dtype = base.user_dtype(float if dtype is None else dtype, "zeros")
    shape = _shape(shape)
    return shapes.full(shape, 0, dtype,
                       sharding=place_argument(device, out_sharding, "jnp.zeros"))


def ones(shape, dtype=None, *, device=None, out_sharding=None):
    """``jax.numpy.ones``."""
    _check_call("ones", shape, dtype)
    shape = _shape(shape)
    dtype = base.user_dtype(float if dtype is None else dtype, "ones")
    return shapes.full(shape, 1, dtype, sharding=place_argument(device, out_sharding, "jnp.ones"))


def empty(shape, dtype=None, *, device=None, out_sharding=None):
    """``jax.numpy.empty``: zeros, on CPU."""
    _check_call("empty", shape, dtype)
    dtype = base.user_dtype(float if dtype is None else dtype, "empty")
    shape = _shape(shape)
    if device is not None and out_sharding is None:
        return device_put(shapes.empty(shape, dtype), device)
    return shapes.empty(shape, dtype,
                        out_sharding=place_argument(device, out_sharding, "jnp.empty"))


def full(shape, fill_value, dtype=None, *, device=None, out_sharding=None):
    """``jax.numpy.full``."""
    if dtype is not None:
        dtype = base.user_dtype(dtype, "full")
    check_arraylike("full", fill_value)
    sharding = place_argument(device, out_sharding, "full")
    if base.ndim(fill_value) == 0:
        return shapes.full(_shape(shape), fill_value, dtype, sharding=sharding)
    value = asarray(fill_value, dtype=dtype)
    if isinstance(sharding, SingleDeviceSharding):
        return device_put(broadcast_to(value, shape), device)
    return broadcast_to(value, shape, sharding=sharding)


def _like(name: str, a: Any, value: Any, dtype: Any, shape: Any, device: Any,
          out_sharding: Any) -> Any:
    if not (hasattr(a, "dtype") and hasattr(a, "shape")):
        check_arraylike(name, a)
    if dtype is not None:
        dtype = base.user_dtype(dtype, name)
    if shape is not None:
        shape = _shape(shape)
    sharding = place_argument(device, out_sharding, f"jnp.{name}")
    return shapes.full_like(a, value, dtype, shape, sharding=sharding)


def zeros_like(a, dtype=None, shape=None, *, device=None, out_sharding=None):
    """``jax.numpy.zeros_like``."""
    return _like("zeros_like", a, 0, dtype, shape, device, out_sharding)


def ones_like(a, dtype=None, shape=None, *, device=None, out_sharding=None):
    """``jax.numpy.ones_like``."""
    return _like("ones_like", a, 1, dtype, shape, device, out_sharding)


def empty_like(prototype, dtype=None, shape=None, *, device=None):
    """``jax.numpy.empty_like``."""
    if not (hasattr(prototype, "dtype") and hasattr(prototype, "shape")):
        check_arraylike("empty_like", prototype)
    if dtype is not None:
        dtype = base.user_dtype(dtype, "empty_like")
    if shape is not None:
        shape = _shape(shape)
    return shapes.empty_like(prototype, dtype=dtype, shape=shape,
                             out_sharding=place_argument(device, None, "empty_like"))


def full_like(a, fill_value, dtype=None, shape=None, *, device=None, out_sharding=None):
    """``jax.numpy.full_like``."""
    if hasattr(a, "dtype") and hasattr(a, "shape"):
        check_arraylike("full_like", 0, fill_value)
    else:
        check_arraylike("full_like", a, fill_value)
    if dtype is not None:
        dtype = base.user_dtype(dtype, "full_like")
    if shape is not None:
        shape = _shape(shape)
    sharding = place_argument(device, out_sharding, "full_like")
    if base.ndim(fill_value) == 0:
        return shapes.full_like(a, fill_value, dtype, shape, sharding=sharding)
    shape = base.shape(a) if shape is None else shape
    dtype = util.result_type(a)[0] if dtype is None else dtype
    value = asarray(fill_value, dtype=dtype)
    if isinstance(sharding, SingleDeviceSharding):
        return device_put(broadcast_to(value, shape), device)
    return broadcast_to(value, shape, sharding=sharding)


def eye(N, M=None, k=0, dtype=None, *, device=None):
    """``jax.numpy.eye``."""
    dtype = base.user_dtype(float if dtype is None else dtype, "eye")
    if isinstance(k, int):
        k = max(-2 ** 31, min(operator.index(k), 2 ** 31 - 1))
    offset = ensure_array("eye", k)
    if offset.shape != () or offset.dtype.family not in "iu":
        raise ValueError(f"k must be a scalar integer; got {k}")
    rows = base.canonical_shape((N,), "argument of 'N' jnp.eye()")[0]
    columns = rows if M is None else base.canonical_shape((M,), "argument 'M' of jnp.eye()")[0]
    if rows < 0 or columns < 0:
        raise ValueError(f"negative dimensions are not allowed, got {N} and {M}")
    i = shapes.broadcasted_iota(offset.dtype, (rows, columns), 0)
    j = shapes.broadcasted_iota(offset.dtype, (rows, columns), 1)
    out = (i + offset == j).astype(dtype)
    return out if device is None else device_put(out, device=device)


def identity(n, dtype=None):
    """``jax.numpy.identity``."""
    return eye(n, dtype=base.user_dtype(dtype, "identity") if dtype is not None else None)


def tri(N, M=None, k=0, dtype=None):
    """``jax.numpy.tri``: ones at and below a diagonal."""
    dtype = dtypes.float32 if dtype is None else base.user_dtype(dtype, "tri")
    return triangle(dtype, (N, N if M is None else M), k)


def triangle(dtype: Any, shape: tuple, offset: Any) -> Any:
    """``lax._tri``: ones where row + offset >= column. TypeError for a float offset."""
    offset = conv.asarray(offset)
    if offset.dtype.family not in "iu":
        raise TypeError(f"offset must be an integer, got {offset!r}")
    index = base.index_dtype(shape)
    low, high = dtypes.int_range(offset.dtype)
    if low < dtypes.int_range(index)[0] or high > dtypes.int_range(index)[1]:
        index = dtypes.int64
    rows = shapes.broadcasted_iota(index, shape, 0)
    mask = el.ge(el.add(rows, offset.astype(index)), shapes.broadcasted_iota(index, shape, 1))
    return conv.convert_element_type_p.bind(mask, new_dtype=dtype, weak_type=False, sharding=None)


def indices(dimensions, dtype=None, sparse=False):
    """``jax.numpy.indices``."""
    from simulator.facade.jax.numpy.joining import stack
    dtype = base.user_dtype(int if dtype is None else dtype, "indices")
    dimensions = tuple(base.concrete(operator.index, d, "dimensions argument of jnp.indices")
                       for d in dimensions)
    rank, output, s = len(dimensions), [], dimensions
    for i, dim in enumerate(dimensions):
        idx = shapes.iota(dtype, dim)
        if sparse:
            s = (1,) * i + (dim,) + (1,) * (rank - i - 1)
        output.append(shapes.broadcast_in_dim(idx, s, (i,)))
    if sparse:
        return tuple(output)
    return stack(output, 0) if output else array([], dtype=dtype)


def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    """``jax.numpy.meshgrid``."""
    args = list(util.ensure_arrays("meshgrid", *xi))
    if not copy:
        raise ValueError("jax.numpy.meshgrid only supports copy=True")
    if indexing not in ("xy", "ij"):
        raise ValueError(f"Valid values for indexing are 'xy' and 'ij', got {indexing}")
    if any(a.ndim != 1 for a in args):
        raise ValueError("Arguments to jax.numpy.meshgrid must be 1D, got shapes "
                         f"{[a.shape for a in args]}")
    swapped = indexing == "xy" and len(args) >= 2
    if swapped:
        args[0], args[1] = args[1], args[0]
    shape = [1 if sparse else a.shape[0] for a in args]
    output = [shapes.broadcast_in_dim(
        a, [*shape[:i], a.shape[0], *shape[i + 1:]] if sparse else shape, (i,))
        for i, a in enumerate(args)]
    if swapped:
        output[0], output[1] = output[1], output[0]
    return tuple(output)


def fromfunction(function, shape, *, dtype=float, **kwargs):
    """``jax.numpy.fromfunction``: a function of places, mapped over all of them."""
    from simulator.batching.vmapping import vmap
    from simulator.facade.jax.numpy.ranges import arange
    shape = base.canonical_shape(shape, "shape argument of jnp.fromfunction()")
    for i in range(len(shape)):
        axes = tuple(0 if i == j else None for j in range(len(shape)))
        function = vmap(function, in_axes=axes[::-1])
    return function(*(arange(n, dtype=dtype) for n in shape), **kwargs)
