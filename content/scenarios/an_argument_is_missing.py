# title: An argument is missing
# kind: surprise
# about: params trace
# decisive: g(x)
# expected: a call that cannot be made asks no cache.
# happens: nobody looks at the parameters before the trace; params and tracing miss, and the call of your function raises there.
# source: jax/_src/pjit.py: _infer_params
import jax
import jax.numpy as jnp
from jax import lax

g = jax.jit(lambda x, y: lax.add(x, y))
x = jnp.asarray([0.0, 1.0, 2.0])
call("g(x)", lambda: g(x))
call("g(x) again", lambda: g(x))
call("g(x, x)", lambda: g(x, x))
