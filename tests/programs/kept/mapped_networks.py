"""Batched matrix products, softmax, layer norm and attention, written for one example."""

import jax
import jax.numpy as jnp
import numpy as np

x = jnp.asarray(np.linspace(-1, 1, 24, dtype="float32").reshape(2, 4, 3))
w = jnp.asarray(np.linspace(0, 1, 9, dtype="float32").reshape(3, 3))


def softmax(v):
    e = jnp.exp(v - jnp.max(v))
    return e / jnp.sum(e)


def layer_norm(v, eps=1e-5):
    mean, var = jnp.mean(v), jnp.var(v)
    return (v - mean) / jnp.sqrt(var + eps)


def attention(q, k, v):
    scores = q @ k.T / jnp.sqrt(q.shape[-1])
    return jax.vmap(softmax)(scores) @ v


call("matmul", lambda: jax.vmap(lambda a: a @ w)(x))
call("matmul, both mapped", lambda: jax.vmap(jnp.matmul)(x, jnp.stack([w, w])))
call("matmul, right mapped", lambda: jax.vmap(jnp.matmul, (None, 0))(x[0], jnp.stack([w, w])))
call("vector products", lambda: jax.vmap(jax.vmap(jnp.dot, (0, None)), (0, None))(x, w[0]))
call("softmax", lambda: jax.vmap(jax.vmap(softmax))(x))
call("library softmax", lambda: jax.vmap(jax.nn.softmax)(x))
call("layer norm", lambda: jax.vmap(jax.vmap(layer_norm))(x))
call("attention", lambda: jax.vmap(attention)(x, x, x))
fast = jax.jit(jax.vmap(attention))
call("attention, jitted", lambda: fast(x, x, x))
call("attention, jitted again", lambda: fast(x, x, x))
call("einsum", lambda: jax.vmap(lambda a: jnp.einsum("ij,jk->ik", a, w))(x))
call("relu and gelu", lambda: jax.vmap(lambda a: jax.nn.gelu(jax.nn.relu(a)))(x))
call("one_hot", lambda: jax.vmap(lambda i: jax.nn.one_hot(i, 3))(jnp.array([0, 2])))
call("cross entropy", lambda: jax.vmap(lambda a, t: -jax.nn.log_softmax(a)[t])(x[0], jnp.array([0, 1, 2, 0])))
note("jaxpr", str(jax.make_jaxpr(jax.vmap(attention))(x, x, x)))
