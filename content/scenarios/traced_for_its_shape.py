# title: Asked for the shape first
# kind: surprise
# about: trace lower
# decisive: g(x)
# expected: to ask for the shape of a result costs nothing.
# happens: jax.eval_shape traces the function and keeps the trace; the first call finds it, and only lowers and compiles.
# source: jax/_src/api.py: eval_shape
import jax
import jax.numpy as jnp
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])
call("jax.eval_shape(f, x)", lambda: jax.eval_shape(f, x))
call("g(x)", lambda: g(x))
call("g(x) again", lambda: g(x))
