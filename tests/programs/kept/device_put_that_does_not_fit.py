# Placing an array that a sharding does not divide: what is said depends on the kind of axis.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

explicit = jax.make_mesh((2, 2), ("a", "b"))
auto = jax.sharding.Mesh(np.array(jax.devices()).reshape(2, 2), ("a", "b"))
mixed = jax.make_mesh((2, 2), ("a", "b"), axis_types=(AxisType.Explicit, AxisType.Auto))
x = jnp.arange(7.0)
f = jax.jit(lambda x: x * 2)
for name, mesh in (("explicit", explicit), ("auto", auto), ("mixed", mixed)):
    call(f"{name} a", lambda: jax.device_put(x, NamedSharding(mesh, P("a"))))
    call(f"{name} b", lambda: jax.device_put(x, NamedSharding(mesh, P("b"))))
    call(f"{name} ab", lambda: jax.device_put(x, NamedSharding(mesh, P(("a", "b")))))
    call(f"{name} too long", lambda: jax.device_put(x, NamedSharding(mesh, P(None, "a"))))
    call(f"{name} numpy", lambda: jax.device_put(np.ones((4, 3)), NamedSharding(mesh, P("a", "b"))))
    call(f"{name} tree", lambda: jax.device_put([jnp.ones(4), x], NamedSharding(mesh, P("a"))))
    call(f"{name} fits", lambda: f(jax.device_put(jnp.ones(4), NamedSharding(mesh, P("a")))))
    call(f"{name} scalar", lambda: jax.device_put(1.0, NamedSharding(mesh, P("a"))))
