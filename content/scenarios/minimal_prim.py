# title: One operation, no jit in sight
# kind: minimal
# about: prim
# decisive: lax.sin(x) again
# expected: an operation outside jit runs without any cache.
# happens: a bare operation is wrapped in a small jitted function, found by primitive and parameters; another shape finds the same wrapper and compiles inside it.
# source: jax/_src/dispatch.py: xla_primitive_callable
import jax
import jax.numpy as jnp
from jax import lax

x = jnp.asarray([0.0, 1.0, 2.0])
y = jnp.asarray([0.0, 1.0])
call("lax.sin(x)", lambda: lax.sin(x))
call("lax.sin(x) again", lambda: lax.sin(x))
call("lax.sin(y)", lambda: lax.sin(y))
