# title: The first call
# kind: minimal
# about: 
# decisive: g(x)
# expected: the first call compiles.
# happens: every in-memory cache is asked in turn and none has an answer; the function is traced, lowered and compiled once.
# source: jax/_src/pjit.py: _cpp_pjit
import jax
import jax.numpy as jnp
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])
call("g(x)", lambda: g(x))
