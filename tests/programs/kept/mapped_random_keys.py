"""Random numbers per element: split keys, mapped samplers, mapped folding."""

import jax
import jax.numpy as jnp

key = jax.random.key(0)
keys = jax.random.split(key, 3)

call("normal", lambda: jax.vmap(lambda k: jax.random.normal(k, (2,)))(keys))
call("normal again", lambda: jax.vmap(lambda k: jax.random.normal(k, (2,)))(keys))
call("uniform", lambda: jax.vmap(jax.random.uniform)(keys))
call("split each", lambda: jax.vmap(jax.random.split)(keys))
call("fold_in", lambda: jax.vmap(jax.random.fold_in, (None, 0))(key, jnp.arange(3)))
call("fold_in pairs", lambda: jax.vmap(jax.random.fold_in)(keys, jnp.arange(3)))
call("bernoulli", lambda: jax.vmap(lambda k, p: jax.random.bernoulli(k, p))(keys, jnp.array([0.1, 0.5, 0.9])))
call("randint", lambda: jax.vmap(lambda k: jax.random.randint(k, (2,), 0, 10))(keys))
call("keys from seeds", lambda: jax.vmap(jax.random.key)(jnp.arange(3)))
call("key_data", lambda: jax.vmap(jax.random.key_data)(keys))


@jax.jit
def noisy(k, x):
    k1, k2 = jax.random.split(k)
    return x + jax.random.normal(k1, x.shape) * jax.random.uniform(k2)


xs = jnp.ones((3, 2))
call("jitted", lambda: jax.vmap(noisy)(keys, xs))
call("jitted again", lambda: jax.vmap(noisy)(keys, xs))
call("jit outside", lambda: jax.jit(jax.vmap(noisy))(keys, xs))
call("same key for all", lambda: jax.vmap(noisy, (None, 0))(key, xs))
old = jax.random.split(jax.random.PRNGKey(0), 3)
call("old keys", lambda: jax.vmap(lambda k: jax.random.normal(k, (2,)))(old))
call("old keys split", lambda: jax.vmap(jax.random.split)(old))
note("jaxpr", str(jax.make_jaxpr(jax.vmap(noisy))(keys, xs)))
