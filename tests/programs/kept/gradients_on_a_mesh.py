# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
# Data-parallel training on a mesh: sharded batch, replicated parameters, donated state.
import functools

import jax
import jax.numpy as jnp
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
batch = NamedSharding(mesh, P("data"))
everywhere = NamedSharding(mesh, P())
x = jax.device_put(jnp.arange(16.0).reshape(8, 2), batch)
y = jax.device_put(jnp.ones(8), batch)
params = jax.device_put({"w": jnp.ones(2), "b": jnp.zeros(())}, everywhere)


def loss(params, x, y):
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


@jax.jit
def step(params, x, y):
    grads = jax.grad(loss)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads)


for i in range(2):
    params = call(f"step {i}", lambda: step(params, x, y))


@functools.partial(jax.jit, donate_argnums=0)
def donated(params, x, y):
    value, grads = jax.value_and_grad(loss)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads), value


for i in range(3):
    params, value = call(f"donated {i}", lambda: donated(params, x, y))
note("value", round(float(value) / 1e5, 3))
call("eager grad", lambda: jax.grad(loss)(params, x, y)["w"])
call("eager grad again", lambda: jax.grad(loss)(params, x, y)["w"])
call("host batch", lambda: donated(params, jnp.ones((8, 2)), jnp.ones(8))[1])
