# title: Checked, and never fast
# kind: surprise
# about: fast_path
# decisive: g(x) again
# expected: the second call is answered by C++.
# happens: with key-reuse checks on, a call is bound as an operation instead of run from C++: the entry for it never answers.
# source: jax/_src/pjit.py: _get_fastpath_data
import jax
import jax.numpy as jnp
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])

with jax.debug_key_reuse(True):
    call("g(x)", lambda: g(x))
    call("g(x) again", lambda: g(x))
