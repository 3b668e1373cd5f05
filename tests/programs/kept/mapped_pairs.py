"""Pairwise distances: vmap of vmap, plainly and jitted, and a kernel matrix."""

import jax
import jax.numpy as jnp
import numpy as np

a = jnp.asarray(np.arange(6, dtype="float32").reshape(3, 2))
b = jnp.asarray(np.arange(8, dtype="float32").reshape(4, 2) / 2)


def distance(x, y):
    return jnp.sqrt(jnp.sum((x - y) ** 2))


def rbf(x, y, gamma=0.5):
    return jnp.exp(-gamma * jnp.sum((x - y) ** 2))


pairwise = jax.vmap(jax.vmap(distance, in_axes=(None, 0)), in_axes=(0, None))
call("pairwise", lambda: pairwise(a, b))
call("pairwise again", lambda: pairwise(a, b))
call("one row", lambda: jax.vmap(distance, (None, 0))(a[0], b))
fast = jax.jit(pairwise)
call("jitted", lambda: fast(a, b))
call("jitted again", lambda: fast(a, b))
call("swapped", lambda: fast(b, a))
call("itself", lambda: fast(a, a))
note("jaxpr", str(jax.make_jaxpr(pairwise)(a, b)))


def gram(f, xs):
    return jax.vmap(lambda x: jax.vmap(lambda y: f(x, y))(xs))(xs)


call("gram", lambda: gram(rbf, a))
call("gram again", lambda: gram(rbf, a))
call("gram, jitted kernel", lambda: gram(jax.jit(rbf), a))
call("nearest", lambda: jax.vmap(lambda x: jnp.argmin(jax.vmap(lambda y: distance(x, y))(b)))(a))
