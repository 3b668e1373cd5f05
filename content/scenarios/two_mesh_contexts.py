# title: Two ways to enter a mesh
# kind: surprise
# about: params trace
# decisive: g(x) in the old context
# expected: the two ways of entering a mesh do the same.
# happens: both change the keys; set_mesh shows up as the context mesh, the old context manager only as a state in the trace context.
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
    call("g(x) under set_mesh", lambda: g(x))
with mesh:
    call("g(x) in the old context", lambda: g(x))
