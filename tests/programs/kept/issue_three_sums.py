# shows: One sum in three ways, unrolled, as a loop of JAX and over a list, each with a static size.
# source: https://github.com/jax-ml/jax/issues/27033
from functools import partial
import jax, jax.numpy as jnp
sized = partial(jax.jit, static_argnames=("size",))
@sized
def unrolled(x: float, size: int) -> jax.Array:
    out = x + jnp.zeros(size)
    for i in range(size): out = out + i * jnp.arange(size)
    return out
@sized
def looped(x, size):
    def body(i, out): return out + i * jnp.arange(size)
    return jax.lax.fori_loop(0, size, body, x + jnp.zeros(size))
@sized
def listed(x, size):
    return x + jnp.zeros(size) + sum([i * jnp.arange(size) for i in range(size)])
for x, size in [(1, 3), (1, 5), (2, 3), (2.0, 3)]:
    for way in (unrolled, looped, listed): print(way(x, size).block_until_ready())
print(looped(1, size=3), [way._cache_size() for way in (unrolled, looped, listed)])
print([len(jax.make_jaxpr(way, static_argnums=1)(1, 4).eqns[0].params["jaxpr"].eqns) for way in (unrolled, looped, listed)])
