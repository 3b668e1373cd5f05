"""``jax.nn``: the activations that are jitted functions over `jax.numpy`.

JAX source: ``jax/_src/nn/functions.py``.
"""

from __future__ import annotations

import functools
import math
import operator
from typing import Any

from simulator import process
from simulator.api import jit
from simulator.autodiff.custom_jvp import custom_jvp
from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import base
from simulator.facade.jax.numpy.util import (
    check_arraylike,
    check_arraylike_or_none,
    ensure_array,
    promote_args_inexact,
)


@jit
def identity(x):
    """``jax.nn.identity``."""
    return ensure_array("identity", x)


@custom_jvp
@jit
def relu(x):
    """``jax.nn.relu``."""
    return jnp.maximum(x, 0)


@custom_jvp
@jit
def relu6(x):
    """``jax.nn.relu6``."""
    return jnp.minimum(jnp.maximum(x, 0), 6.)


relu.defjvps(lambda g, ans, x: lax.select(x > 0, g, lax.full_like(g, 0)))
relu6.defjvps(lambda g, ans, x: lax.select((x > 0) & (x < 6), g, lax.full_like(g, 0)))


@jit(inline=True)
def sigmoid(x):
    """``jax.nn.sigmoid``."""
    return lax.logistic(x)


@jit
def silu(x):
    """``jax.nn.silu``."""
    x = ensure_array("silu", x)
    return x * sigmoid(x)


swish = silu


@jit
def softplus(x):
    """``jax.nn.softplus``."""
    return jnp.logaddexp(x, 0)


@jit
def log_sigmoid(x):
    """``jax.nn.log_sigmoid``."""
    x = ensure_array("log_sigmoid", x)
    return -softplus(-x)


@jit
def mish(x):
    """``jax.nn.mish``."""
    x = ensure_array("mish", x)
    return x * jnp.tanh(softplus(x))


@jit
def sparse_plus(x):
    """``jax.nn.sparse_plus``."""
    x = ensure_array("sparse_plus", x)
    return jnp.where(x <= -1.0, 0.0, jnp.where(x >= 1.0, x, (x + 1.0)**2 / 4))


@jit
def sparse_sigmoid(x):
    """``jax.nn.sparse_sigmoid``."""
    return 0.5 * jnp.clip(x + 1.0, 0.0, 2.0)


@jit(static_argnames=("axis",))
def glu(x, axis=-1):
    """``jax.nn.glu``."""
    x = ensure_array("glu", x)
    assert x.shape[axis] % 2 == 0, "axis size must be divisible by 2"
    x1, x2 = jnp.split(x, 2, axis)
    return x1 * sigmoid(x2)


@jit
def soft_sign(x):
    """``jax.nn.soft_sign``."""
    x = ensure_array("soft_sign", x)
    return x / (jnp.abs(x) + 1)


@jit
def squareplus(x, b=4):
    """``jax.nn.squareplus``."""
    x, b = ensure_array("squareplus", x), ensure_array("squareplus", b)
    return (x + jnp.sqrt(jnp.square(x) + b)) / 2


@jit
def elu(x, alpha=1.0):
    """``jax.nn.elu``."""
    x = ensure_array("elu", x)
    positive = x > 0
    return jnp.where(positive, x, alpha * jnp.expm1(jnp.where(x > 0, 0., x)))


@jit
def selu(x):
    """``jax.nn.selu``."""
    alpha = 1.6732632423543772848170429916717
    scale = 1.0507009873554804934193349852946
    return scale * elu(x, alpha)


@jit
def celu(x, alpha=1.0):
    """``jax.nn.celu``."""
    return jnp.maximum(x, 0.0) + alpha * jnp.expm1(jnp.minimum(x, 0.0) / alpha)


@jit
def leaky_relu(x, negative_slope=1e-2):
    """``jax.nn.leaky_relu``."""
    x = ensure_array("leaky_relu", x)
    return jnp.where(x >= 0, x, negative_slope * x)


@jit
def hard_tanh(x):
    """``jax.nn.hard_tanh``."""
    x = ensure_array("hard_tanh", x)
    return jnp.where(x > 1, 1, jnp.where(x < -1, -1, x))


@jit
def hard_sigmoid(x):
    """``jax.nn.hard_sigmoid``."""
    return relu6(x + 3.) / 6.


@jit
def hard_silu(x):
    """``jax.nn.hard_silu``."""
    x = ensure_array("hard_silu", x)
    return x * hard_sigmoid(x)


hard_swish = hard_silu


def gelu(x: Any, approximate: bool = True) -> Any:
    """``jax.nn.gelu``; it is no jitted function itself."""
    [x] = promote_args_inexact("gelu", x)
    number = x.dtype.type
    if approximate:
        inner = number(math.sqrt(2 / math.pi)) * (x + 0.044715 * (x ** 3))
        return x * (0.5 * (1.0 + jnp.tanh(inner)))
    return jnp.array(0.5 * x * lax.erfc(-x * number(math.sqrt(0.5))), dtype=x.dtype)


def softmax(x: Any, axis: Any = -1, where: Any = None) -> Any:
    """``jax.nn.softmax``; it is no jitted function itself."""
    if process.current().config.value("jax_softmax_custom_jvp"):
        return _softmax(x, axis, where)
    largest = jnp.max(x, axis, where=where, initial=-math.inf, keepdims=True)
    safe = x if where is None else jnp.where(where, x, -math.inf)
    powers = jnp.exp(safe - lax.stop_gradient(largest))
    result = powers / jnp.sum(powers, axis, where=where, keepdims=True)
    return result if where is None else jnp.where(where, result, 0)


@functools.partial(custom_jvp, nondiff_argnums=(1,))
def _softmax(x, axis=-1, where=None, initial=-math.inf):
    largest = jnp.max(x, axis, where=where, initial=initial, keepdims=True)
    safe = x if where is None else jnp.where(where, x, initial)
    powers = jnp.exp(safe - largest)
    result = powers / jnp.sum(powers, axis, where=where, keepdims=True)
    return result if where is None else jnp.where(where, result, 0)


@_softmax.defjvp
def _softmax_jvp(axis, primals, tangents):
    (x, where, initial), (x_dot, _, _) = primals, tangents
    y = _softmax(x, axis, where, initial)
    return y, y * (x_dot - (y * x_dot).sum(axis, where=where, keepdims=True))


@jit(static_argnames=("axis",))
def log_softmax(x, axis=-1, where=None):
    """``jax.nn.log_softmax``."""
    x = ensure_array("log_softmax", x)
    largest = jnp.max(x, axis, where=where, initial=-math.inf, keepdims=True)
    safe = x if where is None else jnp.where(where, x, -math.inf)
    shifted = safe - lax.stop_gradient(largest)
    result = shifted - jnp.log(jnp.sum(jnp.exp(shifted), axis, where=where, keepdims=True))
    return result if where is None else jnp.where(where, result, -math.inf)


@jit(static_argnames=("axis", "keepdims"))
def logmeanexp(x, axis=None, where=None, keepdims=False):
    """``jax.nn.logmeanexp``."""
    from simulator.facade.jax.numpy.exponentials import logsumexp
    from simulator.facade.jax.numpy.statistics import count
    total = logsumexp(x, axis=axis, where=where, keepdims=keepdims)
    return total - jnp.log(count(x, axis, keepdims, where, total.dtype))


@jit(static_argnames=("axis", "algorithm"))
def standardize(x, axis=-1, mean=None, variance=None, epsilon=1e-5, where=None, *,
                algorithm="fast"):
    """``jax.nn.standardize``: zero mean and unit variance along an axis."""
    check_arraylike("standardize", x)
    check_arraylike_or_none("standardize", mean, variance, where)
    if mean is None:
        mean = jnp.mean(x, axis, keepdims=True, where=where)
    if variance is None:
        if algorithm == "stable":
            variance = jnp.mean(jnp.square(jnp.subtract(x, mean)), axis, keepdims=True,
                                where=where)
        elif algorithm == "fast":
            squares = jnp.mean(jnp.square(x), axis, keepdims=True, where=where)
            variance = jnp.clip(squares - jnp.square(mean), 0)
        else:
            raise ValueError(f"Unknown algorithm '{algorithm}'. Expected 'fast' or 'stable'.")
    return jnp.subtract(x, mean) * lax.rsqrt(variance + epsilon)


@jit(static_argnames=("num_classes", "dtype", "axis", "out_sharding"))
def _one_hot(x, num_classes, *, dtype, axis, out_sharding):
    place = base.canonical_axis(axis, x.ndim + 1)
    shape = [1] * x.ndim
    shape.insert(place, num_classes)
    rows = lax.expand_dims(x, (axis,))
    on_its_mesh = base.sharding_of(base.typeof(x).update(shape=shape, spec=()))
    counts = lax.broadcasted_iota(x.dtype, shape, place, out_sharding=on_its_mesh)
    return (rows == counts).astype(dtype)


def one_hot(x: Any, num_classes: int, *, dtype: Any = None, axis: int = -1,
            out_sharding: Any = None) -> Any:
    """``jax.nn.one_hot``."""
    base.no_out_sharding(out_sharding, "jax.nn.one_hot")
    return _one_hot(jnp.asarray(x), base.concrete(
        operator.index, num_classes, "The error arose in jax.nn.one_hot argument `num_classes`."),
        dtype=base.default_float() if dtype is None else dtype, axis=axis, out_sharding=None)
