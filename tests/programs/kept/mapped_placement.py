# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
"""vmap of arrays that live on several devices, and placement inside mapped functions."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

mesh = Mesh(np.array(jax.devices()).reshape(4), ("data",))
rows = NamedSharding(mesh, P("data"))
whole = NamedSharding(mesh, P())
x = jax.device_put(jnp.arange(32.0).reshape(8, 4), rows)
w = jax.device_put(jnp.ones(4), whole)


@jax.jit
def f(x, w):
    return jnp.tanh(x) @ w


call("sharded", lambda: jax.vmap(f, (0, None))(x, w))
call("sharded again", lambda: jax.vmap(f, (0, None))(x, w))
call("sharding of the result", lambda: str(jax.vmap(f, (0, None))(x, w).sharding))
call("other sharding", lambda: jax.vmap(f, (0, None))(jax.device_put(x, whole), w))
call("jit around", lambda: jax.jit(jax.vmap(f, (0, None)))(x, w))
call("jit around with shardings", lambda: jax.jit(
    jax.vmap(f, (0, None)), in_shardings=(rows, whole), out_shardings=whole)(x, w))
call("eager operations", lambda: jax.vmap(lambda x: x * 2 + 1)(x))
call("eager sum", lambda: jax.vmap(jnp.sum)(x))
call("over the other axis", lambda: jax.vmap(lambda c: c * 2, 1, 1)(x))
call("with an unplaced one", lambda: jax.vmap(lambda a, b: a + b)(x, jnp.ones((8, 4))))
call("device_put inside", lambda: jax.vmap(lambda a: jax.device_put(a, jax.devices()[0]) + 1)(jnp.ones((2, 3))))
call("single device", lambda: jax.vmap(f, (0, None))(jnp.ones((2, 4)), jnp.ones(4)))
call("committed elsewhere", lambda: jax.vmap(f, (0, None))(
    jax.device_put(jnp.ones((2, 4)), jax.devices()[1]), jnp.ones(4)))
call("devices differ", lambda: jax.vmap(f, (0, None))(
    jax.device_put(jnp.ones((2, 4)), jax.devices()[1]), jax.device_put(jnp.ones(4), jax.devices()[2])))
with jax.set_mesh(jax.make_mesh((4,), ("data",), axis_types=(AxisType.Auto,))):
    call("in a mesh", lambda: jax.vmap(f, (0, None))(x, w))
    call("in a mesh, eager", lambda: jax.vmap(lambda x: x * 2 + w)(x))
call("default_device", lambda: jax.default_device(jax.devices()[3]).__enter__() and None)
call("on another default device", lambda: jax.vmap(f, (0, None))(np.ones((2, 4), "f4"), np.ones(4, "f4")))
