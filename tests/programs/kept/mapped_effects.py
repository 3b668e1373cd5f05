"""Printing and calling back from mapped functions."""

import jax
import jax.numpy as jnp
import numpy as np

x = jnp.arange(3.0)


def show(v):
    jax.debug.print("v = {v}", v=v)
    return v * 2


def host(v):
    return np.asarray(v) * 2


def back(v, method):
    return jax.pure_callback(host, jax.ShapeDtypeStruct(v.shape, v.dtype), v, vmap_method=method)


call("print", lambda: jax.vmap(show)(x))
call("print again", lambda: jax.vmap(show)(x))
call("print, jitted inside", lambda: jax.vmap(jax.jit(show))(x))
call("print, jitted outside", lambda: jax.jit(jax.vmap(show))(x))
call("print a pair", lambda: jax.vmap(lambda a, b: jax.debug.print("{} {}", a, b), (0, None))(x, 7.0))
seen = []
call("debug.callback", lambda: jax.vmap(lambda v: jax.debug.callback(lambda a: seen.append(float(a)), v))(x))
note("seen", seen)
for method in ("expand_dims", "broadcast_all", "legacy_vectorized"):
    call(f"pure_callback {method}", lambda: jax.vmap(lambda v: back(v, method))(x))
    call(f"pure_callback {method}, jitted", lambda: jax.jit(jax.vmap(lambda v: back(v, method)))(x))
call("pure_callback without a method", lambda: jax.vmap(lambda v: back(v, None))(x))
call("pure_callback, wrong method", lambda: jax.vmap(lambda v: back(v, "all"))(x))


def two(a, b):
    return jax.pure_callback(lambda a, b: np.asarray(a + b), jax.ShapeDtypeStruct((), "float32"),
                             a, b, vmap_method="broadcast_all")


call("pure_callback, one unmapped", lambda: jax.vmap(two, (0, None))(x, 1.0))
note("jaxpr", str(jax.make_jaxpr(jax.vmap(show))(x)))
