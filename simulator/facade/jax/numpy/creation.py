"""Arrays from nothing: zeros, ones, full, arange, linspace, eye, tri …

Most are no jitted functions: eagerly each step is an operation of its own.

JAX source: ``jax/_src/numpy/array_creation.py``; ``jax/_src/numpy/lax_numpy.py:
arange, eye, identity, tri, indices, meshgrid``.
"""

from __future__ import annotations

import math
import operator
import types
from typing import Any

from simulator.api import jit
from simulator.device_arrays.device_put import device_put
from simulator.facade.jax.lax import base, reducing, shapes
from simulator.facade.jax.lax import convert as conv
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.numpy import util
from simulator.facade.jax.numpy.constructors import array, asarray
from simulator.facade.jax.numpy.util import (
    broadcast_to,
    check_arraylike,
    ensure_array,
    ensure_arrays,
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


def arange(start, stop=None, step=None, dtype=None, *, device=None, out_sharding=None):
    """``jax.numpy.arange``. ConcretizationTypeError for traced bounds."""
    sharding = place_argument(device, out_sharding, "jnp.arange")
    out = _arange(start, stop, step, dtype, None if sharding is None or sharding._is_concrete
                  else sharding)
    return device_put(out, sharding) if sharding is not None and sharding._is_concrete else out


def _arange(start: Any, stop: Any, step: Any, dtype: Any, out_sharding: Any) -> Any:
    if dtype is not None:
        dtype = base.user_dtype(dtype, "arange")
    util.check_arraylike_or_none("arange", start, stop, step)
    first = "stop" if stop is None and step is None else "start"
    start = base.concrete(None, start, f"It arose in the jnp.arange argument '{first}'")
    stop = base.concrete(None, stop, "It arose in the jnp.arange argument 'stop'")
    step = base.concrete(None, step, "It arose in the jnp.arange argument 'step'")
    for name, value in ((first, start), ("stop", stop), ("step", step)):
        if value is not None and base.ndim(value) != 0:
            raise ValueError(f"jax.numpy.arange: arguments must be scalars; got {name}={value}")
    given = [x for x in (start, stop, step) if x is not None]
    if dtype is None:
        dtype = util.result_type(start, *[x for x in (stop, step) if x is not None])[0]
    if any(base.is_kind(x, "c") for x in given):
        raise ValueError("Passing complex start/stop/step to jnp.arange is no longer supported "
                         "starting in JAX v0.10.0.")
    if stop is None:
        start, stop = 0, start
    if step is not None:
        work = dtypes.float32 if dtype.family == "f" and dtype.bits < 32 else dtype
        size = max(0, _ceil((stop - start) / step))
        begin = conv.convert_element_type(start, work)
        hop = conv.convert_element_type(step, work)
        line = shapes.broadcasted_iota(work, (size,), 0, out_sharding=out_sharding)
        return conv.convert_element_type(el.add(begin, el.mul(hop, line)), dtype)
    if start == 0:
        return shapes.broadcasted_iota(dtype, (max(0, _ceil(stop)),), 0,
                                       out_sharding=out_sharding)
    size = max(0, _ceil(stop - start))
    begin = conv.convert_element_type(start, dtype)
    return el.add(begin, shapes.broadcasted_iota(dtype, (size,), 0, out_sharding=out_sharding))


def _ceil(x: Any) -> int:
    return math.ceil(x.item() if hasattr(x, "item") else x)


@jit(static_argnames=("num", "endpoint", "retstep", "dtype", "axis", "device"))
def _linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *,
              device=None):
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    start, stop = ensure_arrays("linspace", start, stop)
    if dtype is None:
        dtype = dtypes.to_inexact(util.result_type(start, stop)[0])
    else:
        dtype = base.user_dtype(dtype, "linspace")
    work = dtypes.to_inexact(dtype)
    start, stop = start.astype(work), stop.astype(work)
    bounds = list(shapes.broadcast_shapes(start.shape, stop.shape))
    first, last = broadcast_to(start, bounds), broadcast_to(stop, bounds)
    axis = len(bounds) + axis + 1 if axis < 0 else axis
    bounds.insert(axis, 1)
    div = num - 1 if endpoint else num
    if num > 1:
        delta = conv.convert_element_type(stop - start, work) / asarray(div, dtype=work)
        real = dtypes.real_part(work)
        steps = [1] * len(bounds)
        steps[axis] = div
        step = shapes.iota(real, div).reshape(steps) / asarray(div, real)
        step = step.astype(work)
        out = first.reshape(bounds) * (1 - step) + last.reshape(bounds) * step
        if endpoint:
            out = reducing.concatenate([out, shapes.expand_dims(last, (axis,))],
                                       base.canonical_axis(axis, out.ndim))
    elif num == 1:
        delta = asarray(math.nan if endpoint else stop - start, dtype=work)
        out = first.reshape(bounds)
    else:
        bounds[axis] = 0
        delta = full((), math.nan, work)
        out = empty(bounds, dtype)
    if dtype.family in "iu" and out.dtype.family not in "iu":
        out = el.floor(out)
    result = conv.convert(out, dtype, sharding=place_argument(device, None, "linspace"))
    return (result, delta) if retstep else result


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *,
             device=None):
    """``jax.numpy.linspace``."""
    num = base.concrete(operator.index, num, "'num' argument of jnp.linspace")
    axis = base.concrete(operator.index, axis, "'axis' argument of jnp.linspace")
    return _linspace(start, stop, num, endpoint, retstep, dtype, axis, device=device)


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """``jax.numpy.logspace``."""
    num, axis = _index(num, "num", "logspace"), _index(axis, "axis", "logspace")
    return _logspace(start, stop, num, endpoint, base, dtype, axis)


def _index(x: Any, name: str, fun: str) -> int:
    return base.concrete(operator.index, x, f"'{name}' argument of jnp.{fun}")


@jit(static_argnames=("num", "endpoint", "dtype", "axis"))
def _logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    from simulator.facade.jax.numpy.arithmetic import power
    dtype, work = _space_types(start, stop, dtype, "logspace")
    start, stop = ensure_arrays("logspace", start, stop)
    start, stop = start.astype(work), stop.astype(work)
    line = linspace(start, stop, num, endpoint=endpoint, retstep=False, dtype=None, axis=axis)
    return conv.convert_element_type(power(base, line), dtype)


def _space_types(start: Any, stop: Any, dtype: Any, name: str) -> tuple:
    if dtype is None:
        dtype = dtypes.to_inexact(util.result_type(start, stop)[0])
    else:
        dtype = base.user_dtype(dtype, name)
    return dtype, dtypes.to_inexact(dtype)


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

