# title: Another wrapper, other options
# kind: minimal
# about: trace
# decisive: donating(xn)
# expected: asking for donation traces the function again.
# happens: the new wrapper has its own params entries, but the trace keys on the function and the avals: the jaxpr is found, and only lowering and compiling run again.
# source: jax/_src/interpreters/partial_eval.py: trace_to_jaxpr
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
donating = jax.jit(f, donate_argnums=0)
xn = np.arange(3, dtype=np.float32)
x = jnp.asarray(xn)
call("g(x)", lambda: g(x))
call("donating(xn)", lambda: donating(xn))
