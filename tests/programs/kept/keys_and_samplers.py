# shows: Random numbers eagerly and under jit.
import jax, jax.numpy as jnp
key = jax.random.PRNGKey(0)
key, sub = jax.random.split(key)
print(jax.random.normal(sub, (2,)))
print(jax.random.uniform(sub, (2,), minval=-1, maxval=1))
print(jax.random.randint(sub, (3,), 0, 10))
print(jax.random.permutation(sub, 5))
print(jax.random.bernoulli(sub, 0.3, (4,)))
print(jax.random.choice(sub, 5, (2,)))
print(jax.random.categorical(sub, jnp.zeros(4)))
k = jax.random.key(42)
for i in range(2):
    k, s = jax.random.split(k)
    jax.random.normal(s, (3,))
@jax.jit
def dropout(k, x, rate):
    keep = jax.random.bernoulli(k, 1 - rate, x.shape)
    return jnp.where(keep, x / (1 - rate), 0)
dropout(k, jnp.ones(4), 0.5)
dropout(k, jnp.ones(4), 0.5)
dropout(jax.random.fold_in(k, 1), jnp.ones(4), 0.1)
ks = jax.random.split(k, 3); print(ks.shape, ks[0].dtype)
jax.random.key_data(k)
