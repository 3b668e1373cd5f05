# env: XLA_FLAGS=--xla_force_host_platform_device_count=2
# shows: A training step over placed arrays.
import jax, jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((2,), ("d",))
@jax.jit
def step(w, x):
    l, g = jax.value_and_grad(lambda w: jnp.mean((x @ w) ** 2))(w)
    return w - 0.1 * g, l
w = jax.device_put(jnp.ones((4, 2)), NamedSharding(mesh, P()))
x = jax.device_put(jnp.ones((8, 4)), NamedSharding(mesh, P("d")))
w1, l = call("step", lambda: step(w, x))
call("step again", lambda: step(w1, x))
call("step host", lambda: step(w1, jnp.ones((8, 4))))
