# title: A trace that you hold
# kind: surprise
# about: lower
# decisive: traced.lower() after g.clear_cache()
# expected: g.clear_cache() drops what was lowered.
# happens: it drops the traces, and a lowering goes with the jaxpr it was made of; while you hold that jaxpr, its lowering is found.
# source: jax/_src/pjit.py: jit_evict_fn; jax/_src/pjit.py: _pjit_lower
import jax
import jax.numpy as jnp
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])
traced = call("g.trace(x)", lambda: g.trace(x))
call("traced.lower()", lambda: traced.lower())
g.clear_cache()
call("traced.lower() after g.clear_cache()", lambda: traced.lower())
call("g.lower(x) after g.clear_cache()", lambda: g.lower(x))
