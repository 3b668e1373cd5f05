# title: A compilation that fails
# kind: surprise
# about: fast_path compile
# decisive: g(x) again
# expected: what failed once is known to fail.
# happens: params and lowering answer the second time, and XLA is asked again, and refuses again; C++ never answers for the call.
# source: jax/_src/interpreters/pxla.py: _cached_compilation
import jax
import jax.numpy as jnp
from jax import lax

g = jax.jit(lambda x: lax.sin(x), compiler_options={"no_such_option": 1})
x = jnp.asarray([0.0, 1.0, 2.0])
call("g(x)", lambda: g(x))
call("g(x) again", lambda: g(x))
