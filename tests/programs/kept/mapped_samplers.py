"""Samplers of all kinds under vmap, and their jaxprs."""

import jax
import jax.numpy as jnp

key = jax.random.key(3)
keys = jax.random.split(key, 3)
p = jnp.array([[0.2, 0.8], [0.5, 0.5], [0.9, 0.1]])


def text(label, f, *args):
    try:
        note(f"jaxpr of {label}", str(jax.make_jaxpr(jax.vmap(f))(*args)))
    except Exception as error:
        note(f"jaxpr of {label}", f"{type(error).__name__}: {error}")


def look(label, f, *args):
    call(label, lambda: jax.vmap(f)(*args))
    call(f"{label}, jitted", lambda: jax.jit(jax.vmap(f))(*args))
    text(label, f, *args)


look("categorical", lambda k, v: jax.random.categorical(k, jnp.log(v)), keys, p)
look("permutation", lambda k: jax.random.permutation(k, 4), keys)
look("permutation of an array", lambda k, v: jax.random.permutation(k, v), keys, p)
look("choice", lambda k: jax.random.choice(k, jnp.arange(5), (2,)), keys)
look("gumbel", lambda k: jax.random.gumbel(k, (2,)), keys)
look("exponential", lambda k: jax.random.exponential(k), keys)
look("truncated_normal", lambda k: jax.random.truncated_normal(k, -1.0, 1.0, (2,)), keys)
look("randint with mapped bounds", lambda k, n: jax.random.randint(k, (), 0, n), keys, jnp.array([2, 5, 9]))
look("uniform with mapped bounds", lambda k, n: jax.random.uniform(k, (2,), maxval=n), keys, jnp.array([1.0, 2.0, 3.0]))
look("bits", lambda k: jax.random.bits(k, (2,), "uint8"), keys)
look("split and use", lambda k: [jax.random.normal(s) for s in jax.random.split(k)], keys)
look("bernoulli", lambda k, q: jax.random.bernoulli(k, q, (2,)), keys, p[:, 0])
call("keys of keys", lambda: jax.vmap(jax.vmap(jax.random.normal))(jax.vmap(jax.random.split)(keys)))
call("fold_in twice", lambda: jax.vmap(lambda k, i, j: jax.random.fold_in(jax.random.fold_in(k, i), j))(
    keys, jnp.arange(3), jnp.arange(3)))
call("keys compared", lambda: jax.vmap(lambda k: k == key)(keys))
call("keys chosen", lambda: jax.random.key_data(jax.vmap(lambda k, b: jnp.where(b, k, key))(
    keys, jnp.array([True, False, True]))))
call("indexed keys", lambda: jax.vmap(lambda i: jax.random.normal(keys[i]))(jnp.array([2, 0])))
call("bits of all keys", lambda: jax.jit(jax.vmap(lambda k: jax.random.uniform(k, (2,))))(keys))
