# title: Clearing one empties another
# kind: surprise
# about: params trace
# decisive: other(xn)
# expected: g.clear_cache() concerns g only.
# happens: it empties the params cache of every function; the other one's trace and lowering are still there, so nothing of it is traced or compiled.
# source: jax/_src/pjit.py: jit_evict_fn
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
other = jax.jit(lambda x: lax.cos(x))
x = jnp.asarray([0.0, 1.0, 2.0])
xn = np.asarray([0.0, 1.0, 2.0], np.float32)
call("g(x)", lambda: g(x))
call("other(x)", lambda: other(x))
g.clear_cache()
call("other(x) after g.clear_cache()", lambda: other(x))
call("other(xn)", lambda: other(xn))
call("g(x) after g.clear_cache()", lambda: g(x))
