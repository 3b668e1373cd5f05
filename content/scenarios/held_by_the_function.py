# title: Entries go with their function
# kind: story
# about: fast_path trace
# decisive: again(x)
# expected: a cached program keeps its function alive.
# happens: the caches refer to the function weakly; when the last name of it is gone it is collected, with its entries, and a function of the same text starts from nothing.
# source: jaxlib/pjit.cc: PjitFunctionCache; jax/_src/interpreters/partial_eval.py: trace_to_jaxpr
import gc
import weakref
import jax
import jax.numpy as jnp
from jax import lax

def make():
    def f(x):
        return lax.sin(x)
    return f

x = jnp.asarray([0.0, 1.0, 2.0])
f = make()
g = jax.jit(f)
watch = weakref.ref(f)
call("g(x)", lambda: g(x))
call("g(x) again", lambda: g(x))
del f, g
gc.collect()
note("alive after del", watch() is not None)
again = jax.jit(make())
call("again(x)", lambda: again(x))
