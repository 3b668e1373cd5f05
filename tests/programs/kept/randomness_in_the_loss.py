# Dropout and noise inside a loss, keys split outside or inside, reparametrised samples.
import jax
import jax.numpy as jnp


def loss(w, key, x):
    keep = jax.random.bernoulli(key, 0.5, x.shape)
    h = jnp.where(keep, x / 0.5, 0.0)
    return jnp.mean((h @ w) ** 2)


w, x = jnp.ones(3), jnp.arange(6.0).reshape(2, 3)
key = jax.random.key(0)
g = jax.jit(jax.grad(loss))
for i in range(3):
    key, sub = jax.random.split(key)
    call(f"step {i}", lambda: g(w, sub, x))
call("eager", lambda: jax.grad(loss)(w, key, x))
call("eager again", lambda: jax.grad(loss)(w, key, x))


def sampled(params, key):
    mean, log_std = params
    z = mean + jnp.exp(log_std) * jax.random.normal(key, (4,))
    return jnp.mean(z ** 2)


params = (jnp.float32(1.0), jnp.float32(0.0))
for i in range(2):
    call(f"reparametrised {i}", lambda: jax.grad(sampled)(params, jax.random.key(i))[0])
old = jax.random.PRNGKey(0)
call("raw key", lambda: jax.grad(loss)(w, old, x))
call("key inside", lambda: jax.grad(lambda w: loss(w, jax.random.key(3), x))(w))
