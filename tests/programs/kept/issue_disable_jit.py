# shows: A gradient step by hand with jit disabled from the start.
# source: https://github.com/jax-ml/jax/issues/19654
import jax
jax.config.update("jax_disable_jit", True)
import jax.numpy as jnp
x = jnp.ones(3)
def loss(v): return jnp.sum(v ** 2)
m = jnp.zeros(3)
for i in range(3):
    g = 2 * x
    m = 0.9 * m + g
    x = x - 0.01 * m / (jnp.sqrt(jnp.mean(g ** 2)) + 1e-8)
    print(i, loss(x))
jax.config.update("jax_disable_jit", False)
jax.jit(loss)(x); jax.jit(loss)(x)
