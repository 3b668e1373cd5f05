"""``jax.nn``: the activations that are jitted functions over `jax.numpy`.

JAX source: ``jax/_src/nn/functions.py``.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.api import jit
from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import base
from simulator.facade.jax.numpy.util import ensure_array, promote_args_inexact
from simulator.facade.public import missing as _missing
from simulator.functions.custom_rules import custom_jvp

__getattr__ = _missing("jax.nn")

tanh = jnp.tanh


def _no_rule(g, ans, x):
    raise AssertionError("rules are never used here")


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


relu.defjvps(_no_rule)
relu6.defjvps(_no_rule)


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
    largest = jnp.max(x, axis, where=where, initial=-math.inf, keepdims=True)
    safe = x if where is None else jnp.where(where, x, -math.inf)
    powers = jnp.exp(safe - lax.stop_gradient(largest))
    result = powers / jnp.sum(powers, axis, where=where, keepdims=True)
    return result if where is None else jnp.where(where, result, 0)


@jit(static_argnames=("axis",))
def log_softmax(x, axis=-1, where=None):
    """``jax.nn.log_softmax``."""
    x = ensure_array("log_softmax", x)
    largest = jnp.max(x, axis, where=where, initial=-math.inf, keepdims=True)
    safe = x if where is None else jnp.where(where, x, -math.inf)
    shifted = safe - lax.stop_gradient(largest)
    result = shifted - jnp.log(jnp.sum(jnp.exp(shifted), axis, where=where, keepdims=True))
    return result if where is None else jnp.where(where, result, -math.inf)


@jit(static_argnames=("num_classes", "dtype", "axis", "out_sharding"))
def _one_hot(x, num_classes, *, dtype, axis, out_sharding):
    place = base.canonical_axis(axis, x.ndim + 1)
    shape = [1] * x.ndim
    shape.insert(place, num_classes)
    rows = lax.expand_dims(x, (axis,))
    return (rows == lax.broadcasted_iota(x.dtype, shape, place)).astype(dtype)


def one_hot(x: Any, num_classes: int, *, dtype: Any = None, axis: int = -1,
            out_sharding: Any = None) -> Any:
    """``jax.nn.one_hot``."""
    base.no_out_sharding(out_sharding, "jax.nn.one_hot")
    return _one_hot(jnp.asarray(x), base.concrete(
        int, num_classes, "The error arose in jax.nn.one_hot argument `num_classes`."),
        dtype=base.default_float() if dtype is None else dtype, axis=axis, out_sharding=None)
