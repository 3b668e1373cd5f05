"""``jax.random.gamma`` and what is made of it: loggamma, beta, dirichlet, chisquare, t.

A primitive of its own stands in the program. It is lowered as loops in which each element
is drawn until a draw is accepted; those loops are what computes the numbers here too.

JAX source: ``jax/_src/random/core.py: gamma, loggamma, _gamma, _gamma_one, _gamma_impl,
random_gamma_p, _beta, _dirichlet, _chisquare, _t``.

Simplified: no derivative by the shape parameter, and not the approximate method.
"""

from __future__ import annotations

import functools
import math
from typing import Any

from simulator.api import jit
from simulator.batching import axes
from simulator.batching.rules import rule, size_of
from simulator.batching.vmapping import vmap
from simulator.errors import OutOfScope
from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import base
from simulator.facade.jax.nn.functions import softmax
from simulator.jaxprs import evaluate, lower_fun
from simulator.jaxprs.jaxpr import Eqn, Jaxpr
from simulator.ndarrays.ndarray import NDArray
from simulator.primitives.ambient import state
from simulator.primitives.core import Primitive
from simulator.randomness.random_keys import check_key, split_typed
from simulator.randomness.samplers import (
    _dtype,
    check_safe_to_cast,
    check_shape,
    exponential,
    normal,
    uniform,
)


def _method(name: str, method: str) -> None:
    if method not in ("exact", "approximate"):
        raise ValueError(f"method argument to `{name}` must be one of {{'exact', 'approximate'}}, "
                         f"got {method!r}")
    if method == "approximate":
        raise OutOfScope(f"jax.random.{name}(method='approximate')", "leave the option out")


def _shape(name: str, shape: Any, *params: Any) -> tuple:
    shapes = [base.shape(p) for p in params]
    if shape is None:
        return lax.broadcast_shapes(*shapes)
    shape = base.canonical_shape(shape)
    check_shape(name, shape, *shapes)
    return shape


def _public(name: str, log_space: dict) -> Any:
    def fun(key: Any, a: Any, shape: Any = None, dtype: Any = None, *, method: str = "exact",
            out_sharding: Any = None) -> Any:
        key, _ = check_key(name, key)
        chosen = _dtype(dtype, "f", "gamma", "a float")
        if shape is not None:
            shape = base.canonical_shape(shape)
        base.no_out_sharding(out_sharding, f"jax.random.{name}")
        _method(name, method)
        return _gamma(key, a, shape=shape, dtype=chosen, **log_space)
    fun.__name__ = fun.__qualname__ = name
    fun.__doc__ = f"``jax.random.{name}``."
    return fun


gamma = _public("gamma", {})
loggamma = _public("loggamma", {"log_space": True})


@jit(static_argnames=("shape", "dtype", "log_space"))
def _gamma(key, a, shape, dtype, log_space=False):
    if shape is None:
        shape = base.shape(a)
    else:
        check_shape("gamma", shape, base.shape(a))
    a = lax.convert_element_type(a, dtype)
    if base.shape(a) != shape:
        a = jnp.broadcast_to(a, shape)
    return random_gamma_p.bind(key, a, log_space=log_space)


def beta(key: Any, a: Any, b: Any, shape: Any = None, dtype: Any = None, *,
         method: str = "exact", out_sharding: Any = None) -> Any:
    """``jax.random.beta``."""
    key, _ = check_key("beta", key)
    chosen = _dtype(dtype, "f", "beta", "a float")
    check_safe_to_cast("beta", chosen, a, b)
    shape = _shape("beta", shape, a, b)
    base.no_out_sharding(out_sharding, "jax.random.beta")
    _method("beta", method)
    return _beta(key, a, b, method=method, shape=shape, dtype=chosen)


@jit(static_argnums=(3, 4, 5))
def _beta(key, a, b, method, shape, dtype):
    a, b = lax.convert_element_type(a, dtype), lax.convert_element_type(b, dtype)
    key_a, key_b = split_typed(key)
    a, b = jnp.broadcast_to(a, shape), jnp.broadcast_to(b, shape)
    log_a = loggamma(key_a, a, shape, dtype, method=method)
    log_b = loggamma(key_b, b, shape, dtype, method=method)
    largest = lax.max(log_a, log_b)
    one, two = jnp.exp(log_a - largest), jnp.exp(log_b - largest)
    return one / (one + two)


def dirichlet(key: Any, alpha: Any, shape: Any = None, dtype: Any = None, *,
              out_sharding: Any = None) -> Any:
    """``jax.random.dirichlet``."""
    key, _ = check_key("dirichlet", key)
    chosen = _dtype(dtype, "f", "dirichlet", "a float")
    if shape is not None:
        shape = base.canonical_shape(shape)
    base.no_out_sharding(out_sharding, "jax.random.dirichlet")
    return _dirichlet(key, alpha, shape=shape, dtype=chosen)


@jit(static_argnums=(2, 3))
def _dirichlet(key, alpha, shape, dtype):
    own = base.shape(alpha)
    if not own:
        raise ValueError("dirichlet requires alpha.ndim >= 1, got alpha.ndim == 0")
    if shape is None:
        shape = own[:-1]
    else:
        check_shape("dirichlet", shape, own[:-1])
    alpha = lax.convert_element_type(alpha, dtype)
    return softmax(loggamma(key, alpha, shape + own[-1:], dtype), -1)


def chisquare(key: Any, df: Any, shape: Any = None, dtype: Any = None, *, method: str = "exact",
              out_sharding: Any = None) -> Any:
    """``jax.random.chisquare``."""
    key, _ = check_key("chisquare", key)
    chosen = _dtype(dtype, "f", "chisquare", "a float")
    check_safe_to_cast("chisquare", chosen, df)
    shape = _shape("chisquare", shape, df)
    base.no_out_sharding(out_sharding, "jax.random.chisquare")
    _method("chisquare", method)
    return _chisquare(key, df, method=method, shape=shape, dtype=chosen)


@jit(static_argnums=(2, 3, 4))
def _chisquare(key, df, method, shape, dtype):
    df = lax.convert_element_type(df, dtype)
    two = base.const(df, 2)
    half = lax.div(df, two)
    log_g = loggamma(key, a=half, shape=shape, dtype=dtype, method=method)
    return lax.mul(jnp.exp(log_g), two)


def t(key: Any, df: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """``jax.random.t``."""
    key, _ = check_key("t", key)
    chosen = _dtype(dtype, "f", "t", "a float")
    check_safe_to_cast("t", chosen, df)
    shape = _shape("t", shape, df)
    base.no_out_sharding(out_sharding, "jax.random.t")
    return _t(key, df, shape=shape, dtype=chosen)


@jit(static_argnums=(2, 3))
def _t(key, df, shape, dtype):
    df = lax.convert_element_type(df, dtype)
    key_n, key_g = split_typed(key)
    n = normal(key_n, shape, dtype)
    two = base.const(n, 2)
    half = lax.div(df, two)
    g = gamma(key_g, half, shape, dtype)
    return n * jnp.sqrt(half / g)


# --- the primitive ---------------------------------------------------------------

def _gamma_one(key: Any, alpha: Any, log_space: bool) -> Any:
    zero, one, two, minus_one = (base.const(alpha, v) for v in (0, 1, 2, -1))
    half, third, squeeze = (base.const(alpha, v) for v in (0.5, 1. / 3., 0.0331))
    dtype = base.dtype(alpha)
    large = lax.ge(alpha, one)
    alpha_orig = alpha
    alpha = lax.select(large, alpha, lax.add(alpha, one))
    d = lax.sub(alpha, third)
    c = lax.div(third, lax.sqrt(d))

    def _cond_fn(kXVU):  # noqa: N803  (the names are part of keys)
        _, x2, v, u = kXVU
        near = lax.ge(u, lax.sub(one, lax.mul(squeeze, lax.mul(x2, x2))))
        far = lax.ge(lax.log(u), lax.add(lax.mul(x2, half), lax.mul(
            d, lax.add(lax.sub(one, v), lax.log(v)))))
        return lax.bitwise_and(near, far)

    def _body_fn(kXVU):  # noqa: N803
        def _next_kxv(kxv):
            key, subkey = split_typed(kxv[0])
            x = normal(subkey, (), dtype=dtype)
            return key, x, lax.add(one, lax.mul(x, c))
        key, x_key, u_key = split_typed(kXVU[0], 3)
        _, x, v = lax.while_loop(lambda kxv: lax.le(kxv[2], zero), _next_kxv,
                                 (x_key, zero, minus_one))
        x2 = lax.mul(x, x)
        v3 = lax.mul(lax.mul(v, v), v)
        return key, x2, v3, uniform(u_key, (), dtype=dtype)
    key, subkey = split_typed(key)
    _, _, v, _ = lax.while_loop(_cond_fn, _body_fn, (key, zero, one, two))
    if log_space:
        samples = lax.neg(exponential(subkey, (), dtype=dtype))
        boost = lax.select(large | (samples == 0), zero,
                           lax.mul(samples, lax.div(one, alpha_orig)))
        return lax.add(lax.add(lax.log(d), lax.log(v)), boost)
    samples = 1 - uniform(subkey, (), dtype=dtype)
    boost = lax.select(large, one, lax.pow(samples, lax.div(one, alpha_orig)))
    return lax.mul(lax.mul(d, v), boost)


def _gamma_impl(key: Any, a: Any, *, log_space: bool) -> Any:
    shape = base.shape(a)
    count = math.prod(shape[key.ndim:])
    keys = vmap(split_typed, in_axes=(0, None))(key.flatten(), count).flatten()
    alphas = a.flatten()
    if key.dtype.impl == "threefry2x32":
        samples = vmap(functools.partial(_gamma_one, log_space=log_space))(keys, alphas)
    else:
        samples = lax.map(lambda args: _gamma_one(*args, log_space=log_space), (keys, alphas))
    return jnp.reshape(samples, shape)


# (types, log_space, how keys are split) -> what the primitive was lowered to. A program is
# lowered before it runs, in any process; and what is equal computes the same numbers.
_lowered: dict[tuple, Jaxpr] = {}


def _name(key: Any, a: Any, log_space: bool) -> tuple:
    return (key.shape, key.dtype, a.shape, a.dtype, log_space,
            bool(state("jax_threefry_partitionable", True)))


@lower_fun.rule("random_gamma")
def _lower(eqn: Eqn) -> list[Jaxpr]:
    log_space = eqn.params["log_space"]
    key, a = (atom.aval for atom in eqn.invars)
    jaxpr = lower_fun.trace(lambda key, a: _gamma_impl(key, a, log_space=log_space), key, a,
                            name="<lambda>", said="_gamma_impl(*args)")
    _lowered[_name(key, a, log_space)] = jaxpr
    return [jaxpr]


def _numbers(key: NDArray, a: NDArray, *, log_space: bool) -> NDArray:
    jaxpr = _lowered[_name(key, a, log_space)]
    return evaluate.run(jaxpr, [key, a])[0]


random_gamma_p = Primitive("random_gamma", abstract=lambda key, a, **params: a, impl=_numbers)
random_gamma_p.eager = _gamma_impl
random_gamma_p.as_traced = True


@rule("random_gamma")
def _batch(primitive: Primitive, axis: Any, vals: list, dims: list, *, log_space: bool) -> tuple:
    key, a = (axes.at_front(x, d, size_of(vals, dims), axis.part) for x, d in zip(vals, dims))
    return primitive.bind(key, a, log_space=log_space), 0
