# Adam by hand: moments as trees, a jitted update, bias correction by the step number.
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    step: int
    m: dict
    v: dict


def init(params):
    zeros = jax.tree.map(jnp.zeros_like, params)
    return State(0, zeros, zeros)


def loss(params, x, y):
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


@jax.jit
def update(params, state, x, y):
    value, grads = jax.value_and_grad(loss)(params, x, y)
    step = state.step + 1
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state.m, grads)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, state.v, grads)
    params = jax.tree.map(
        lambda p, m, v: p - 0.1 * (m / (1 - 0.9 ** step)) / (jnp.sqrt(v / (1 - 0.999 ** step)) + 1e-8),
        params, m, v)
    return params, State(step, m, v), value


params = {"w": jnp.zeros((2, 1)), "b": jnp.zeros(1)}
state = init(params)
x, y = jnp.array([[1.0, 2.0], [3.0, 4.0]]), jnp.array([[1.0], [2.0]])
for i in range(4):
    params, state, value = call(f"update {i}", lambda: update(params, state, x, y))
    note(f"loss {i}", round(float(value), 3))
state = state._replace(step=jnp.int32(4))
params, state, value = call("step as an array", lambda: update(params, state, x, y))
note("cache size", update._cache_size())
