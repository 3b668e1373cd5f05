# title: Gradients, kept and made anew
# kind: surprise
# about: fast_path trace
# decisive: jax.jit(jax.grad(f))(x) again
# expected: the gradient of the same function is compiled once.
# happens: grad makes a new function each time it is written; only a gradient that is kept, or one around a jitted function, is found again.
# source: jax/_src/api.py: grad
import jax
import jax.numpy as jnp
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.float32(1.0)
call("jax.jit(jax.grad(f))(x)", lambda: jax.jit(jax.grad(f))(x))
call("jax.jit(jax.grad(f))(x) again", lambda: jax.jit(jax.grad(f))(x))
kept = jax.jit(jax.grad(f))
call("kept(x)", lambda: kept(x))
call("kept(x) again", lambda: kept(x))
call("jax.grad(g)(x)", lambda: jax.grad(g)(x))
call("jax.grad(g)(x) again", lambda: jax.grad(g)(x))
