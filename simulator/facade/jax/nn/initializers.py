"""``jax.nn.initializers``: functions of a key and a shape that give a first weight.

None of them is jitted; a fresh one for each layer costs nothing.

JAX source: ``jax/_src/nn/initializers.py``.

Simplified: real dtypes only; no ``out_sharding``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from simulator.errors import OutOfScope
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax import random
from simulator.facade.jax.lax import base
from simulator.facade.public import missing as _missing

__getattr__ = _missing("jax.nn.initializers")


def _dtype(wanted: Any, out_sharding: Any) -> Any:
    base.no_out_sharding(out_sharding, "jax.nn.initializers")
    return base.default_float() if wanted is None else wanted


def zeros(key: Any, shape: Any, dtype: Any = None, out_sharding: Any = None) -> Any:
    """``jax.nn.initializers.zeros``."""
    return jnp.zeros(shape, _dtype(dtype, out_sharding))


def ones(key: Any, shape: Any, dtype: Any = None, out_sharding: Any = None) -> Any:
    """``jax.nn.initializers.ones``."""
    return jnp.ones(shape, _dtype(dtype, out_sharding))


def constant(value: Any, dtype: Any = None) -> Callable:
    """``jax.nn.initializers.constant``."""
    def init(key: Any, shape: Any, dtype: Any = dtype, out_sharding: Any = None) -> Any:
        return jnp.full(shape, value, dtype=_dtype(dtype, out_sharding))
    return init


def uniform(scale: Any = 1e-2, dtype: Any = None) -> Callable:
    """``jax.nn.initializers.uniform``: from 0 to `scale`."""
    def init(key: Any, shape: Any, dtype: Any = dtype, out_sharding: Any = None) -> Any:
        dtype = _dtype(dtype, out_sharding)
        return random.uniform(key, shape, dtype) * jnp.array(scale, dtype)
    return init


def normal(stddev: Any = 1e-2, dtype: Any = None) -> Callable:
    """``jax.nn.initializers.normal``."""
    def init(key: Any, shape: Any, dtype: Any = dtype, out_sharding: Any = None) -> Any:
        dtype = _dtype(dtype, out_sharding)
        return random.normal(key, shape, dtype) * jnp.array(stddev, dtype)
    return init


def truncated_normal(stddev: Any = 1e-2, dtype: Any = None, lower: Any = -2.0,
                     upper: Any = 2.0) -> Callable:
    """``jax.nn.initializers.truncated_normal``."""
    def init(key: Any, shape: Any, dtype: Any = dtype, out_sharding: Any = None) -> Any:
        dtype = _dtype(dtype, out_sharding)
        return (random.truncated_normal(key, lower, upper, shape, dtype)
                * jnp.array(stddev, dtype))
    return init


def _size(shape: Sequence[int], axis: Any) -> int:
    return shape[axis] if isinstance(axis, int) else math.prod(shape[i] for i in axis)


def _fans(shape: Sequence[int], in_axis: Any, out_axis: Any, batch_axis: Any
          ) -> tuple[float, float]:
    """How many numbers go into, and come out of, one unit of a weight of this shape."""
    if isinstance(in_axis, int) and in_axis == -2 and len(shape) <= 1:
        raise ValueError(f"Can't compute input and output sizes of a {len(shape)}-dimensional"
                         " weights tensor with default in_axis. Must be at least 2D or specify"
                         " in_axis explicitly.")
    ins, outs, batch = (_size(shape, a) for a in (in_axis, out_axis, batch_axis))
    field = math.prod(shape) / ins / outs / batch
    return ins * field, outs * field


_MEANS = {"fan_in": lambda i, o: i, "fan_out": lambda i, o: o, "fan_avg": lambda i, o: (i + o) / 2,
          "fan_geo_avg": lambda i, o: (i * o) ** 0.5}


def variance_scaling(scale: Any, mode: str, distribution: str, in_axis: Any = -2,
                     out_axis: Any = -1, batch_axis: Any = (), dtype: Any = None) -> Callable:
    """``jax.nn.initializers.variance_scaling``: the variance follows from the shape.

    Errors: ValueError for a mode or distribution that does not exist.
    """
    def init(key: Any, shape: Any, dtype: Any = dtype, out_sharding: Any = None) -> Any:
        shape = base.canonical_shape(shape)
        dtype = base.user_dtype(_dtype(dtype, out_sharding))
        if dtype.family != "f":
            raise OutOfScope("jax.nn.initializers with complex dtypes", "use a real dtype")
        fans = _fans(shape, in_axis, out_axis, batch_axis)
        if mode not in _MEANS:
            raise ValueError(f"invalid mode for variance scaling initializer: {mode}")
        variance = jnp.array(scale / _MEANS[mode](*fans), dtype=dtype)
        if distribution == "truncated_normal":
            # What is cut off is missing from the variance: this makes up for it.
            stddev = jnp.sqrt(variance) / jnp.array(.87962566103423978, dtype)
            return random.truncated_normal(key, -2, 2, shape, dtype) * stddev
        if distribution == "normal":
            return random.normal(key, shape, dtype) * jnp.sqrt(variance)
        if distribution == "uniform":
            return random.uniform(key, shape, dtype, -1) * jnp.sqrt(3 * variance)
        raise ValueError("invalid distribution for variance scaling initializer: "
                         f"{distribution}")
    return init


def _scaling(name: str, scale: float, mode: str, distribution: str) -> Callable:
    def make(in_axis: Any = -2, out_axis: Any = -1, batch_axis: Any = (), dtype: Any = None
             ) -> Callable:
        return variance_scaling(scale, mode, distribution, in_axis=in_axis, out_axis=out_axis,
                                batch_axis=batch_axis, dtype=dtype)
    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"``jax.nn.initializers.{name}``."
    return make


glorot_uniform = xavier_uniform = _scaling("glorot_uniform", 1.0, "fan_avg", "uniform")
glorot_normal = xavier_normal = _scaling("glorot_normal", 1.0, "fan_avg", "truncated_normal")
lecun_uniform = _scaling("lecun_uniform", 1.0, "fan_in", "uniform")
lecun_normal = _scaling("lecun_normal", 1.0, "fan_in", "truncated_normal")
he_uniform = kaiming_uniform = _scaling("he_uniform", 2.0, "fan_in", "uniform")
he_normal = kaiming_normal = _scaling("he_normal", 2.0, "fan_in", "truncated_normal")


def orthogonal(scale: Any = 1.0, column_axis: int = -1, dtype: Any = None) -> Callable:
    """``jax.nn.initializers.orthogonal``."""
    def init(key: Any, shape: Any, dtype: Any = dtype, out_sharding: Any = None) -> Any:
        dtype = _dtype(dtype, out_sharding)
        if len(shape) < 2:
            raise ValueError("orthogonal initializer requires at least a 2D shape")
        if 0 in shape:
            return jnp.zeros(shape, dtype=dtype)
        columns = shape[column_axis]
        q = random.orthogonal(key, math.prod(shape) // columns, (), dtype, columns)
        others = list(shape)
        del others[column_axis]
        q = jnp.moveaxis(jnp.reshape(q, (*others, columns)), -1, column_axis)
        return jnp.array(scale, dtype) * q
    return init


def delta_orthogonal(scale: Any = 1.0, column_axis: int = -1, dtype: Any = None) -> Callable:
    """``jax.nn.initializers.delta_orthogonal``: of a convolution, all in its middle."""
    def init(key: Any, shape: Any, dtype: Any = dtype, out_sharding: Any = None) -> Any:
        dtype = _dtype(dtype, out_sharding)
        if len(shape) not in (3, 4, 5):
            raise ValueError("Delta orthogonal initializer requires a 3D, 4D or 5D shape.")
        if shape[-1] < shape[-2]:
            raise ValueError("`fan_in` must be less or equal than `fan_out`. ")
        matrix = orthogonal(scale=scale, column_axis=column_axis, dtype=dtype)(key, shape[-2:])
        middle = tuple((k - 1) // 2 for k in shape[:-2])
        return jnp.zeros(shape, dtype=dtype).at[(*middle, ...)].set(matrix)
    return init
