# title: Ways to call one function
# about: A hit, another shape, a number instead of an array, another keyword, a lambda made anew.
import jax
import jax.numpy as jnp
import numpy as np

@jax.jit
def scale(x, by=2.0):
    return jnp.sin(x) * by

x = jnp.arange(4.0)
scale(x)
scale(x)

for n in (4, 5, 6):
    scale(np.ones(n, np.float32))

scale(x, 3.0)
scale(x, by=3.0)

for step in range(3):
    jax.jit(lambda v: v + step)(x)
