"""``jax.image``: pictures of another size.

JAX source: ``jax/_src/image/scale.py: resize, _resize, _resize_nearest,
_scale_and_translate, compute_weight_mat``.

Simplified: the methods "nearest" and "linear" (or "bilinear", "trilinear", "triangle").
"""

from __future__ import annotations

from typing import Any

from simulator.api import jit
from simulator.errors import OutOfScope
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import base
from simulator.facade.jax.numpy.util import promote_inexact, result_type
from simulator.facade.public import missing as _missing
from simulator.primitives.dot import Precision
from simulator.types.dtypes import float32, int32
from simulator.types.limits import finfo

__getattr__ = _missing("jax.image")

_LINEAR = ("linear", "bilinear", "trilinear", "triangle")


def resize(image: Any, shape: Any, method: Any, antialias: bool = True,
           precision: Any = Precision.HIGHEST) -> Any:
    """``jax.image.resize``.

    Errors: ValueError for a shape of another rank; OutOfScope for the other methods.
    """
    return _resize(image, base.canonical_shape(shape), method, antialias, precision)


@jit(static_argnums=(1, 2, 3, 4))
def _resize(image, shape, method, antialias, precision):
    if len(shape) != image.ndim:
        raise ValueError("shape must have length equal to the number of dimensions of x;  "
                         f"{shape} vs {image.shape}")
    if method != "nearest" and method not in _LINEAR:
        raise OutOfScope(f"jax.image.resize(method={method!r})", "use 'nearest' or 'linear'")
    axes = [i for i, (old, new) in enumerate(zip(image.shape, shape)) if old != new]
    if method == "nearest":
        return _nearest(image, shape, axes)
    image, = promote_inexact(image)
    scales = [1.0 if shape[d] == 0 else shape[d] / image.shape[d] for d in axes]
    if not axes:
        return image
    rank = len(shape)
    operands: list = [image, list(range(rank))]
    result = list(range(rank))
    for i, d in enumerate(axes):
        weights = _weights(image.shape[d], shape[d], scales[i], 0.0, antialias).astype(image.dtype)
        operands += [weights, [d, rank + i]]
        result[d] = rank + i
    return jnp.einsum(*operands, result, precision=precision)


def _nearest(x: Any, shape: tuple, axes: list) -> Any:
    for d in axes:
        old, new = x.shape[d], shape[d]
        places = (jnp.arange(new, dtype=float32) + 0.5) * old / new
        places = jnp.floor(places.astype(float32)).astype(int32)
        index: list = [slice(None)] * x.ndim
        index[d] = places
        x = x[tuple(index)]
    return x


def _weights(old: int, new: int, scale: float, translation: float, antialias: bool) -> Any:
    # How much each old place gives to each new one.
    dtype, _ = result_type(scale, translation)
    inverse = 1.0 / scale
    width = jnp.maximum(inverse, 1.0) if antialias else 1.0
    at = (jnp.arange(new, dtype=dtype) + 0.5) * inverse - translation * inverse - 0.5
    places = jnp.arange(0, old, dtype=dtype)
    away = jnp.abs(at[None, :] - places[:, None])
    weights = jnp.maximum(0, 1 - jnp.abs(away / width))
    total = jnp.sum(weights, axis=0, keepdims=True)
    smallest = 1000. * float(finfo(float32).eps)
    weights = jnp.where(jnp.abs(total) > smallest,
                        jnp.divide(weights, jnp.where(total != 0, total, 1)), 0)
    inside = jnp.logical_and(at >= -0.5, at <= old - 0.5)[None, :]
    return jnp.where(inside, weights, 0)
