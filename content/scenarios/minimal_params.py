# title: A NumPy argument
# kind: minimal
# about: params lower memo
# decisive: g(xn)
# expected: a NumPy array of the same shape and dtype is the same call.
# happens: C++ also looks at where an argument lives, so it misses once; the params cache keys on avals and answers, and the lowering it names still holds its executable.
# source: jax/_src/pjit.py: _infer_params_cached
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
xn = np.arange(3, dtype=np.float32)
x = jnp.asarray(xn)
call("g(x)", lambda: g(x))
call("g(xn)", lambda: g(xn))
call("g(xn) again", lambda: g(xn))
