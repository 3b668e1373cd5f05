# title: A scope is no context
# kind: surprise
# about: fast_path params
# decisive: g(xn) in another scope
# expected: a function called within jax.named_scope is another program, since its operations have another name.
# happens: the name is in no key; what is known is found, with the names it was traced with.
# source: jax/_src/api.py: named_scope
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x, xn = jnp.asarray([0.0, 1.0, 2.0]), np.asarray([0.0, 1.0, 2.0], np.float32)
call("g(x)", lambda: g(x))
with jax.named_scope("a"):
    call("g(x) in a scope", lambda: g(x))
with jax.named_scope("b"):
    call("g(xn) in another scope", lambda: g(xn))
