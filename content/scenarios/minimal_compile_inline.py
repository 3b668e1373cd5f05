# title: An option XLA never sees
# kind: minimal
# about: compile
# decisive: inlined(xn)
# expected: a wrapper with inline=True compiles again.
# happens: inline is part of lowering's outer key, so lowering misses; the module underneath is the same object, and the executable compiled from it is found.
# source: jax/_src/interpreters/pxla.py: _cached_compilation
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
inlined = jax.jit(f, inline=True)
xn = np.arange(3, dtype=np.float32)
x = jnp.asarray(xn)
call("g(x)", lambda: g(x))
call("inlined(xn)", lambda: inlined(xn))
