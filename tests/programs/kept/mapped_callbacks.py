"""Callbacks under vmap, one element after the other."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback

x = jnp.arange(3.0)
one = jax.ShapeDtypeStruct((), "float32")
seen = []


def host(a, b=0.0):
    seen.append(float(a))
    return np.float32(a * 2 + b)


for method in ("sequential", "sequential_unrolled"):
    call(method, lambda: jax.vmap(lambda v: jax.pure_callback(host, one, v, vmap_method=method))(x))
    call(f"{method} again", lambda: jax.vmap(lambda v: jax.pure_callback(host, one, v, vmap_method=method))(x))
    call(f"{method}, jitted", lambda: jax.jit(jax.vmap(
        lambda v: jax.pure_callback(host, one, v, vmap_method=method)))(x))
    call(f"{method}, one unmapped", lambda: jax.vmap(
        lambda v, w: jax.pure_callback(host, one, v, w, vmap_method=method), (0, None))(x, 1.0))
    note(f"jaxpr of {method}", "scan" in str(jax.make_jaxpr(jax.vmap(
        lambda v: jax.pure_callback(host, one, v, vmap_method=method)))(x)))
call("io_callback", lambda: jax.vmap(lambda v: io_callback(host, one, v))(x))
call("io_callback, jitted", lambda: jax.jit(jax.vmap(lambda v: io_callback(host, one, v)))(x))
call("ordered io_callback", lambda: jax.vmap(lambda v: io_callback(host, one, v, ordered=True))(x))
note("seen", seen)
