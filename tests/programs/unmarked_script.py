# A small script as people write them; the name `call` is its own.
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


def call(w, x, y):
    prediction = jnp.dot(x, w)
    return jnp.mean((prediction - y) ** 2)


step = jax.jit(call)
key = jax.random.key(0)
k1, k2 = jax.random.split(key)
w = jax.random.normal(k1, (3,))
x = jax.random.normal(k2, (5, 3))
y = jnp.ones(5)
for i in range(3):
    value = step(w, x, y)
    print(i, float(value))
call(w, x, y)


class Model:
    def __init__(self, n):
        self.n = n

    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return x * self.n


model = Model(2)
print(model(x)[0])
a, b = model(x) + 1, x[0] * 2
if (a > 0).all():
    print("yes")
total = jnp.where(x > 0, x, 0).sum()
with jax.default_matmul_precision("highest"):
    step(w, x, y)
placed = jax.device_put(np.ones(3))
result = step(
    w,
    x,
    y,
)
jax.block_until_ready(result)
try:
    step(w, x)
except TypeError as error:
    print(error)


@jax.jit
def bad(x):
    if x > 0:
        return x


try:
    bad(1.0)
except jax.errors.TracerBoolConversionError:
    pass
