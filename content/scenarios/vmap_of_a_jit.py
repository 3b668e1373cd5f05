# title: The jit inside, the jit outside
# kind: surprise
# about: fast_path params trace
# decisive: jax.vmap(g)(x) again
# expected: a new function from vmap is a new key, so it is traced again.
# happens: with the jit inside, params answers and C++ runs the batched program; with the jit outside, the function from vmap is the key, and everything misses each time it is made.
# source: jax/_src/pjit.py: _pjit_call_impl
import jax
import jax.numpy as jnp
from jax import lax

def f(row):
    return lax.sin(row)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])
call("jax.vmap(g)(x)", lambda: jax.vmap(g)(x))
call("jax.vmap(g)(x) again", lambda: jax.vmap(g)(x))
call("jax.jit(jax.vmap(f))(x)", lambda: jax.jit(jax.vmap(f))(x))
call("jax.jit(jax.vmap(f))(x) again", lambda: jax.jit(jax.vmap(f))(x))
kept = jax.jit(jax.vmap(f))
call("kept(x)", lambda: kept(x))
call("kept(x) again", lambda: kept(x))
