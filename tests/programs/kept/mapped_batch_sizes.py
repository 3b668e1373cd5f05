"""Compiled per batch size: jit of vmap, with a batch that changes at the end of the data."""

import jax
import jax.numpy as jnp
import numpy as np


def predict(params, x):
    h = jax.nn.relu(params["w1"] @ x + params["b1"])
    return jax.nn.softmax(params["w2"] @ h)


params = {"w1": jnp.ones((4, 3)) * 0.1, "b1": jnp.zeros(4), "w2": jnp.ones((2, 4)) * 0.2}
batched = jax.jit(jax.vmap(predict, in_axes=(None, 0)))
data = np.linspace(0.0, 1.0, 30, dtype="float32").reshape(10, 3)

for start in range(0, 10, 4):
    call(f"batch from {start}", lambda: batched(params, data[start:start + 4]))
call("first batch again", lambda: batched(params, data[:4]))
padded = np.concatenate([data[8:], np.zeros((2, 3), "float32")])
call("last batch, padded", lambda: batched(params, padded)[:2])
call("not jitted", lambda: jax.vmap(predict, in_axes=(None, 0))(params, data[:4]))
note("traces", batched._cache_size())
