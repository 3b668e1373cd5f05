"""Numbers in a row: arange, linspace, logspace.

JAX source: ``jax/_src/numpy/lax_numpy.py: arange``;
``jax/_src/numpy/array_creation.py: linspace, logspace``.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from simulator.api import jit
from simulator.device_arrays.device_put import device_put
from simulator.facade.jax.lax import base, reducing, shapes
from simulator.facade.jax.lax import convert as conv
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.numpy import util
from simulator.facade.jax.numpy.constructors import asarray
from simulator.facade.jax.numpy.creation import empty, full
from simulator.facade.jax.numpy.util import broadcast_to, ensure_arrays, place_argument
from simulator.types import dtypes


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
    num, axis = _index(num, "num", "linspace"), _index(axis, "axis", "linspace")
    return _linspace(start, stop, num, endpoint, retstep, dtype, axis, device=device)


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """``jax.numpy.logspace``."""
    num, axis = _index(num, "num", "logspace"), _index(axis, "axis", "logspace")
    return _logspace(start, stop, num, endpoint, base, dtype, axis)


def _index(x: Any, name: str, fun: str) -> int:
    return base.concrete(operator.index, x, f"'{name}' argument of jnp.{fun}")


@jit(static_argnames=("num", "endpoint", "dtype", "axis"))
def _logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    from simulator.facade.jax.numpy.powers import power
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
