# shows: Training a linear model by hand; the state is a named tuple.
import jax, jax.numpy as jnp
import numpy as np
from typing import NamedTuple
class State(NamedTuple):
    w: jax.Array
    b: jax.Array
    step: int
@jax.jit
def predict(s, x):
    return x @ s.w + s.b
@jax.jit
def loss(s, x, y):
    p = predict(s, x)
    return jnp.mean((p - y) ** 2)
@jax.jit
def step(s, x, y, lr=0.1):
    p = predict(s, x)
    e = (p - y)
    gw = 2 * x.T @ e / x.shape[0]
    gb = 2 * jnp.mean(e, axis=0)
    return s._replace(w=s.w - lr * gw, b=s.b - lr * gb, step=s.step + 1)
x = np.arange(12, dtype=np.float32).reshape(4, 3)
y = np.ones((4, 2), np.float32)
s = State(jnp.zeros((3, 2)), jnp.zeros(2), 0)
for i in range(3):
    s = step(s, x, y)
    print(i, float(loss(s, x, y)))
s = step(s, x, y, lr=0.01)
s = step(s, x, y, 0.01)
s = step(s, jnp.asarray(x), jnp.asarray(y), lr=jnp.float32(0.01))
print(s.step, s.w.shape)
