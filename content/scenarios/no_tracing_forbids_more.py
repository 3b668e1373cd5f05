# title: no_tracing forbids more than tracing
# kind: surprise
# about: fast_path params
# decisive: g(xn) under no_tracing
# expected: under no_tracing a call that needs no trace goes through.
# happens: it is tested as soon as Python is entered, before any cache is asked: the call raises though its params are known, and that signature stays on the slow path.
# source: jax/_src/pjit.py: _cpp_pjit
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])
xn = np.asarray([0.0, 1.0, 2.0], np.float32)
call("g(x)", lambda: g(x))
with jax.no_tracing(True):
    call("g(x) under no_tracing", lambda: g(x))
    call("g(xn) under no_tracing", lambda: g(xn))
call("g(xn)", lambda: g(xn))
call("g(xn) again", lambda: g(xn))
