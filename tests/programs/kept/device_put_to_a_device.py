# A device is not the sharding of one device: it leaves the type of an array alone, and makes a new array.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P, SingleDeviceSharding as S
d = jax.devices()
note("jaxpr dev", str(jax.make_jaxpr(lambda x: jax.device_put(x, d[1]))(1.0)))
note("jaxpr sharding", str(jax.make_jaxpr(lambda x: jax.device_put(x, S(d[1])))(1.0)))
note("jaxpr none", str(jax.make_jaxpr(lambda x: jax.device_put(x))(1.0)))
mesh = jax.make_mesh((4,), ("a",))
x = jax.device_put(jnp.arange(8.0), NamedSharding(mesh, P("a")))
y = call("mesh to device", lambda: jax.device_put(x, d[1]))
note("y", [str(y.sharding), str(jax.typeof(y)), y.committed])
z = call("mesh to single", lambda: jax.device_put(x, S(d[1])))
note("z", [str(z.sharding), str(jax.typeof(z)), z.committed])
w = call("device to device", lambda: jax.device_put(y, d[2]))
note("w", [str(w.sharding), str(jax.typeof(w))])
f = jax.jit(lambda x: x * 2)
call("f y", lambda: f(y))
call("f z", lambda: f(z))
call("in jit dev", lambda: jax.jit(lambda x: jax.device_put(x, d[0]))(1.0))
call("in jit dev committed elsewhere", lambda: jax.jit(lambda x: jax.device_put(x, d[0]))(w))
call("in jit sharding", lambda: jax.jit(lambda x: jax.device_put(x, S(d[0])))(1.0))
call("scalar", lambda: jax.device_put(1, d[3]))
call("tree of devices", lambda: jax.device_put((1, 2.0), (d[1], S(d[2]))))
u = jnp.ones(2)
for name, v in (("uncommitted", u), ("committed", y)):
    for label, t in (("device", v.devices().pop()), ("sharding", v.sharding), ("none", None)):
        p = jax.device_put(v, t)
        note(f"{name} {label}", [p is v, p.committed, str(p.sharding)])
