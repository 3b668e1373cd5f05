# title: The second call
# kind: minimal
# about: fast_path
# decisive: g(x) again
# expected: the second call asks some cache in Python.
# happens: C++ answers alone, for the same wrapper and for a second wrapper around the same function: no Python cache is asked.
# source: jaxlib/pjit.cc: PjitFunction; jax/_src/pjit.py: _cpp_pjit
import jax
import jax.numpy as jnp
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])
call("g(x)", lambda: g(x))
call("g(x) again", lambda: g(x))
call("jax.jit(f)(x)", lambda: jax.jit(f)(x))
