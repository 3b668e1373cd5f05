# title: vmap, and no jit
# kind: surprise
# about: params prim
# decisive: another lambda, the same
# expected: jax.vmap makes one program of a function.
# happens: it makes none; each function of jax.numpy is batched and compiled for itself, each bare operation is done for all rows at the side.
# source: jax/_src/interpreters/batching.py: BatchTrace
import jax
import jax.numpy as jnp
from jax import lax

x = jnp.asarray([0.0, 1.0, 2.0])
call("jax.vmap(row)(x)", lambda: jax.vmap(lambda row: jnp.sin(row) * lax.cos(row))(x))
call("another lambda, the same", lambda: jax.vmap(lambda row: jnp.sin(row) * lax.cos(row))(x))
