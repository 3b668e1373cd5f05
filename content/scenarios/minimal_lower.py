# title: The same function, wrapped again
# kind: minimal
# about: lower memo
# decisive: jax.jit(f)(xn)
# expected: a new wrapper and a NumPy argument start from nothing.
# happens: fast path and params miss, but the trace hands over the jaxpr it made before; lowering keys on that object, answers, and its executable is still there.
# source: jax/_src/pjit.py: _pjit_lower
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

def f(x):
    return lax.sin(x)

xn = np.arange(3, dtype=np.float32)
x = jnp.asarray(xn)
call("jax.jit(f)(x)", lambda: jax.jit(f)(x))
call("jax.jit(f)(xn)", lambda: jax.jit(f)(xn))
