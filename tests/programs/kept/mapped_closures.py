"""What mapped functions close over: arrays, other tracers, each other."""

import functools

import jax
import jax.numpy as jnp
from jax import lax

xs = jnp.arange(6.0).reshape(2, 3)
table = jnp.arange(5.0) * 10
idx = jnp.array([0, 3])


@jax.jit
def lookup(i):
    return table[i]


def outer(x):
    @jax.jit
    def inner(y):
        return x * y + table[0]
    return inner(2.0) + inner(3.0)


call("closed array", lambda: jax.vmap(lambda i: table[i])(idx))
call("closed array, jitted", lambda: jax.vmap(lookup)(idx))
call("closed array, jitted again", lambda: jax.vmap(lookup)(idx))
call("inner jit over a tracer", lambda: jax.vmap(outer)(xs))
call("inner jit over a tracer, again", lambda: jax.vmap(outer)(xs))
call("jit around", lambda: jax.jit(jax.vmap(outer))(xs))
call("vmap over a tracer of jit", lambda: jax.jit(lambda s: jax.vmap(lambda x: x * s)(xs))(2.0))
call("vmap over a tracer of vmap", lambda: jax.vmap(lambda s: jax.vmap(lambda x: x * s)(xs))(idx))
call("result is another's tracer", lambda: jax.vmap(lambda s: jax.vmap(lambda x: s)(xs))(idx))
call("updates", lambda: jax.vmap(lambda x, i: x.at[i].set(0.0))(xs, idx - 1))
call("adds", lambda: jax.vmap(lambda x, i: x.at[i].add(1.0), (0, None))(xs, 1))
call("dynamic slices", lambda: jax.vmap(lambda i: lax.dynamic_slice(table, (i,), (2,)))(idx))
call("dynamic updates", lambda: jax.vmap(
    lambda x, i: lax.dynamic_update_slice(x, jnp.ones(1), (i,)))(xs, idx))
call("where", lambda: jax.vmap(lambda x, i: jnp.where(i > 0, x, -x))(xs, idx))
call("cond", lambda: jax.vmap(lambda x, i: lax.cond(i > 0, jnp.sin, jnp.cos, x))(xs, idx))
call("cond, unmapped condition", lambda: jax.vmap(
    lambda x: lax.cond(True, jnp.sin, jnp.cos, x))(xs))
call("scan", lambda: jax.vmap(lambda x: lax.scan(lambda c, v: (c + v, c * v), 0.0, x))(xs))
call("while_loop", lambda: jax.vmap(
    lambda i: lax.while_loop(lambda s: s < 4, lambda s: s + 2, i))(idx))
call("fori_loop", lambda: jax.vmap(lambda x: lax.fori_loop(0, 3, lambda _, v: v * 2, x))(xs))
call("scan of vmap", lambda: lax.scan(
    lambda c, x: (c + jax.vmap(jnp.sum)(x), None), jnp.zeros(2), jnp.ones((3, 2, 4)))[0])
call("map in batches", lambda: lax.map(lambda x: x * 2, jnp.arange(5.0), batch_size=2))
call("sort and search", lambda: jax.vmap(lambda x: jnp.sort(x)[jnp.argmax(x)])(-xs))
call("optimisation barrier", lambda: jax.vmap(lax.optimization_barrier)(xs))
call("cumulative", lambda: jax.vmap(jnp.cumsum, 1, 1)(xs))
call("partial jit", lambda: jax.vmap(functools.partial(jax.jit, static_argnums=1)(
    lambda x, n: x**n), in_axes=(0, None))(xs, 2))
