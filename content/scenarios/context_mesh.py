# title: In a mesh context
# kind: surprise
# about: fast_path params trace
# decisive: g(x) in the mesh
# expected: a context that the function does not use changes nothing.
# happens: the mesh of the context is part of the keys: the same call on the same array is traced and compiled again inside it, and outside the old entry answers again.
# source: jax/_src/pjit.py: get_ctx_mesh
# env: XLA_FLAGS=--xla_force_host_platform_device_count=2
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AxisType

mesh = jax.make_mesh((2,), ("d",), axis_types=(AxisType.Auto,))
g = jax.jit(lambda x: lax.sin(x))
x = jnp.asarray([0.0, 1.0])
call("g(x)", lambda: g(x))
with jax.set_mesh(mesh):
    call("g(x) in the mesh", lambda: g(x))
call("g(x) outside again", lambda: g(x))
with jax.default_matmul_precision("float32"):
    call("g(x) with precision float32", lambda: g(x))
with jax.default_matmul_precision("highest"):
    call("g(x) with precision highest", lambda: g(x))
