# shows: A mesh from mesh_utils.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, PartitionSpec as P, NamedSharding
from jax.experimental import mesh_utils
devs = mesh_utils.create_device_mesh((2, 2))
mesh = Mesh(devs, axis_names=("a", "b"))
x = jax.device_put(jnp.arange(16.).reshape(4, 4), NamedSharding(mesh, P("a", "b")))
f = jax.jit(lambda x: jnp.sin(x) + 1)
y = f(x); print(y.sharding)
jax.debug.visualize_array_sharding if False else None
