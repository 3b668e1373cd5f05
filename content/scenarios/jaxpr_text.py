# title: What is left of your Python
# kind: story
# about: trace
# decisive: g(x, y)
# expected: JAX compiles the Python function.
# happens: it runs the function once on stand-ins and keeps the operations: a jaxpr, the same text that make_jaxpr prints; names, loops and branches are gone.
# source: jax/_src/interpreters/partial_eval.py: trace_to_jaxpr
import jax
import jax.numpy as jnp
from jax import lax

def f(x, y):
    for _ in range(2):
        x = lax.sin(x)
    if y.ndim == 0:
        x = x + y
    return x

g = jax.jit(f)
x, y = jnp.asarray([0.0, 1.0, 2.0]), jnp.float32(4)
call("g(x, y)", lambda: g(x, y))
note("jaxpr", str(jax.make_jaxpr(f)(x, y)))
note("jaxpr, y a Python float", str(jax.make_jaxpr(f)(x, 4.0)))
note("jaxpr of a sum", str(jax.make_jaxpr(lambda x, y: jnp.sin(x) + jnp.cos(y))(x, x)))
