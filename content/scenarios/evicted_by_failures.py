# title: Pushed out by failures
# kind: surprise
# about: fast_path params
# decisive: g(x) afterwards
# expected: calls of another function that fail leave my function alone.
# happens: all functions share one list of entries and a failed call takes one too: enough of them push out the entry of a function that is called all the time.
# source: jax/_src/pjit.py: _cpp_pjit_cache_explicit_attributes
import jax
import jax.numpy as jnp
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
other = jax.jit(lambda x, n: x, static_argnums=1)
x = jnp.asarray([0.0, 1.0, 2.0])

call("g(x)", lambda: g(x))
call("g(x) again", lambda: g(x))
with jax.no_tracing(True):
    for n in range(8300):
        try:
            other(x, n)
        except RuntimeError:
            pass
call("g(x) afterwards", lambda: g(x))
