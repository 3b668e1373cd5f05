# expected: exporting is one step, seen from outside
# happens: it traces and it lowers, each with its own lookups, also in a program without marks
# source: jax/_src/export/_export.py: export
import jax, jax.numpy as jnp
from jax import export
f = jax.jit(lambda x: x + 1)
spec = jax.ShapeDtypeStruct((3,), jnp.float32)
e = export.export(f)(spec)
e = export.export(f)(spec)
g = jax.jit(e.call)
g(jnp.ones(3))
g(jnp.ones(3))
e.call(jnp.ones(3))
