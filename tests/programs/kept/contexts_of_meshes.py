# shows: The same function under default_device, set_mesh and a legacy mesh.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import PartitionSpec as P, NamedSharding, AxisType, SingleDeviceSharding
emesh = jax.make_mesh((2, 2), ("a", "b"), axis_types=(AxisType.Explicit, AxisType.Explicit))
f = jax.jit(lambda x: x * 2)
w = jax.device_put(np.ones((4, 4), np.float32), NamedSharding(emesh, P("a", "b")))
with jax.set_mesh(emesh):
    print(jax.typeof(w))
    r = f(w); print(jax.typeof(r))
    s = jax.jit(lambda a: a.sum(0))(w); print(jax.typeof(s))
    try: jax.jit(lambda a, b: a @ b)(w, w)
    except Exception as e: print(type(e).__name__, str(e)[:60])

x = jnp.arange(8.)
with jax.default_device(jax.devices()[1]):
    f(x); print(f(2.0).devices())
try: f(jax.device_put(x, jax.devices()[2])) + jax.device_put(x, jax.devices()[1])
except ValueError as e: print(str(e)[:80])
mesh = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Auto,))
with jax.set_mesh(mesh):
    f(x); f(x)
    y = jax.device_put(x, NamedSharding(mesh, P("x"))); f(y)
with mesh:
    f(x)
    z = jax.jit(lambda a: jax.lax.with_sharding_constraint(a, P("x")))(x); print(z.sharding)
for sh in z.addressable_shards: print(sh.device, sh.index, sh.data.shape)
print(z.is_fully_replicated, z.committed, z.global_shards[0].replica_id)
f2 = jax.jit(f, out_shardings=SingleDeviceSharding(jax.devices()[3]))
print(f2(x).devices())
f3 = jax.jit(lambda t: t, in_shardings=NamedSharding(mesh, P("x")), out_shardings=None)
print(f3({"a": x, "b": x})["a"].sharding)
f4 = jax.jit(lambda t, u: (t, u), in_shardings=(None, NamedSharding(mesh, P("x"))))
f4(x, x); f4(x, y); f4(y, y)
