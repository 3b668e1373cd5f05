# happens: a shard_map over one of two mesh axes leaves the other to XLA; what its result is found as
#   by the next call, and what its arguments bring along.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

mesh = Mesh(np.array(jax.devices()).reshape(2, 2), ("x", "y"))
x = jnp.arange(8.0)


def over_x(f):
    return jax.shard_map(f, mesh=mesh, in_specs=P("x"), out_specs=P("x"), axis_names={"x"})


def shifted(v):
    return v + jax.lax.psum(v, "x")


f = jax.jit(over_x(shifted))
call("jitted", lambda: f(x))
call("its result goes in", lambda: f(f(x)))
note("where it is", str(f(x).sharding))
call("cut along the other axis", lambda: f(jax.device_put(x, NamedSharding(mesh, P("y")))))
both = jax.device_put(np.ones((4, 4), np.float32), NamedSharding(mesh, P("x", "y")))
call("cut along both", lambda: f(both))
call("eager", lambda: over_x(shifted)(x))
call("a gradient", lambda: jax.jit(jax.grad(lambda x: over_x(jnp.sin)(x).sum()))(x))
call("what the type says", lambda: jax.jit(over_x(
    lambda v: v * len(jax.typeof(v).mat.varying)))(x))
