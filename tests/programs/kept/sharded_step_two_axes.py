# shows: A training step on a mesh of two axes, jitted twice.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
mesh = Mesh(np.array(jax.devices()).reshape(2, 2), ("data", "model"))
ds = NamedSharding(mesh, P("data"))
ws = NamedSharding(mesh, P(None, "model"))
rep = NamedSharding(mesh, P())
@jax.jit
def step(w, x, y):
    p = x @ w
    g = x.T @ (p - y) / x.shape[0]
    return w - 0.1 * g, jnp.mean((p - y) ** 2)
w = jax.device_put(np.zeros((4, 2), np.float32), ws)
for i in range(3):
    x = jax.device_put(np.ones((8, 4), np.float32), ds)
    y = jax.device_put(np.ones((8, 2), np.float32), ds)
    w, l = step(w, x, y)
    print(w.sharding.spec, float(l))
step2 = jax.jit(step, in_shardings=(ws, ds, ds), out_shardings=(ws, rep))
w, l = step2(w, x, y)
w, l = step2(w, np.ones((8, 4), np.float32), np.ones((8, 2), np.float32))
try:
    step2(jax.device_put(np.zeros((4, 2), np.float32), rep), x, y)
except ValueError as e: print(str(e).splitlines()[0])
print(l.sharding)
