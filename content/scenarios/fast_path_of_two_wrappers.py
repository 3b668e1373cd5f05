# title: Two wrappers, two params entries
# kind: surprise
# about: params
# decisive: second(xn)
# expected: two wrappers around one function share everything.
# happens: they share the fast path, the trace and the executable; the params cache compares the wrapper itself, so the second one has to fill its own entry.
# source: jax/_src/pjit.py: PjitInfo
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

def f(x):
    return lax.sin(x)

first, second = jax.jit(f), jax.jit(f)
xn = np.arange(3, dtype=np.float32)
x = jnp.asarray(xn)
call("first(x)", lambda: first(x))
call("second(x)", lambda: second(x))
call("first(xn)", lambda: first(xn))
jax.clear_caches()
call("first(x) after clear_caches()", lambda: first(x))
call("second(xn)", lambda: second(xn))
