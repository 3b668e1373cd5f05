# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
# While a mapped function is traced, JAX negates numbers of its own with no trace current.
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Explicit,))
x = jax.device_put(jnp.arange(8.0), NamedSharding(mesh, P("x")))


@jax.jit
@jax.shard_map(mesh=mesh, in_specs=P("x"), out_specs=P("x"))
def f(x):
    return jnp.zeros_like(jnp.ravel(x).at[:2].add(lax.pmax(x, "x")[0]))


with jax.set_mesh(mesh):
    for i in range(2):
        call(f"set {i}", lambda: f(x))
call("not set", lambda: f(x))
