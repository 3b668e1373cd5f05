# Multiplicative noise by jax.random.lognormal: shapes, dtypes, sigmas, under jit, vmap, grad.
import jax
import jax.numpy as jnp
import numpy as np

key = jax.random.key(0)
jax.random.lognormal(key)
jax.random.lognormal(key)
jax.random.lognormal(key, 0.5, (3,))
jax.random.lognormal(key, shape=(3,))
jax.random.lognormal(key, 2, (3,))
jax.random.lognormal(jax.random.PRNGKey(1), np.float32(2), (3,), jnp.float32)


@jax.jit
def noisy(key, x, sigma):
    return x * jax.random.lognormal(key, sigma, x.shape)


noisy(key, jnp.ones(4), 0.1)
noisy(key, jnp.ones(4), 0.2)
noisy(key, jnp.ones(5), 0.2)
jax.vmap(noisy, in_axes=(0, None, None))(jax.random.split(key, 3), jnp.ones(4), 0.1)
jax.grad(lambda s: noisy(key, jnp.ones(4), s).sum())(0.3)
print(jax.make_jaxpr(lambda k: jax.random.lognormal(k, 0.5, (3,)))(key))
print(jax.make_jaxpr(lambda k, s: jax.random.lognormal(k, s, (3,), jnp.bfloat16))(key, 1.0))
