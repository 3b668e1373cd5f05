# title: A jit within a jit
# kind: surprise
# about: params trace lower
# decisive: inner(x)
# expected: a function compiled as part of another need not be compiled again.
# happens: inside, it is traced once and becomes part of the outer module; called alone, its trace is found, and it is lowered and compiled for itself.
# source: jax/_src/pjit.py: _infer_params
import jax
import jax.numpy as jnp
from jax import lax

runs = []

@jax.jit
def inner(x):
    runs.append("inner")
    return lax.sin(x)

@jax.jit
def outer(x):
    return inner(inner(x))

x = jnp.asarray([0.0, 1.0, 2.0])
call("outer(x)", lambda: outer(x))
note("times the inner body ran", len(runs))
note("entries of inner", inner._cache_size())
call("inner(x)", lambda: inner(x))
call("outer(x) again", lambda: outer(x))
