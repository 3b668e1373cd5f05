# title: A hit that moves data
# kind: surprise
# about: fast_path
# decisive: g(x) again, in the mesh
# expected: a call answered by C++ runs no Python.
# happens: in a mesh context the executable spans all devices while the argument lives on one: C++ answers, and hands the argument to Python on every call to be spread out.
# source: jax/_src/array.py: _array_shard_arg
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AxisType

mesh = jax.make_mesh((4,), ("d",), axis_types=(AxisType.Auto,))
g = jax.jit(lambda x: lax.sin(x))
x = jnp.asarray([0.0, 1.0, 2.0])

with jax.set_mesh(mesh):
    call("g(x) in the mesh", lambda: g(x))
    y = call("g(x) again, in the mesh", lambda: g(x))
note("devices of the argument", len(x.devices()))
note("devices of the result", len(y.devices()))
