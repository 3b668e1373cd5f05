# shows: Explanations while a function is being traced.
import jax, jax.numpy as jnp
def body(x):
    if x.ndim == 1: raise ValueError
    return x
f = jax.jit(body)
try: f(jnp.ones(2))
except ValueError: pass
f(jnp.ones((2, 2)))
f(jnp.ones((3, 3)))
@jax.jit
def g(x, n=None):
    if x.ndim < 3: g(x[None])
    return x
g(jnp.ones(3))
g(jnp.ones(4))
def rec(x, n): return x if n == 0 else x * r(x, n - 1)
r = jax.jit(rec, static_argnums=1)
r(1., 1)
r(1., 3)
