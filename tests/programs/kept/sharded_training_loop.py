# shows: A training loop on eight devices with constraints and donation.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=8
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
from functools import partial
devs = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devs, ("batch", "model"))
def shard(spec): return NamedSharding(mesh, spec)
params = {"w1": np.ones((16, 8), np.float32), "w2": np.ones((8, 4), np.float32)}
specs = {"w1": P(None, "model"), "w2": P("model", None)}
params = jax.tree.map(lambda p, s: jax.device_put(p, shard(s)), params, specs, is_leaf=lambda x: isinstance(x, P)) if False else {k: jax.device_put(params[k], shard(specs[k])) for k in params}
out_s = {k: shard(specs[k]) for k in specs}
@partial(jax.jit, out_shardings=(out_s, shard(P())), donate_argnums=0)
def step(p, x):
    h = jax.lax.with_sharding_constraint(x @ p["w1"], shard(P("batch", "model")))
    y = h @ p["w2"]
    return {k: v * 0.9 for k, v in p.items()}, y.mean()
def batches():
    for i in range(3): yield np.full((8, 16), i, np.float32)
for b in batches():
    params, loss = step(params, jax.device_put(b, shard(P("batch"))))
    print(float(loss))
params, loss = step(params, b)
params, loss = step(params, jnp.asarray(b))
params, loss = step(params, np.ones((8, 16), np.float32))
try: step(params, jax.device_put(np.ones((6, 16), np.float32), shard(P("batch"))))
except ValueError as e: print(str(e)[:80])
print(params["w1"].sharding, params["w1"].addressable_shards[0].data.shape)
sub = Mesh(np.array(jax.devices()[:2]), ("m",))
z = jax.device_put(jnp.ones(4), NamedSharding(sub, P("m")))
try: jax.jit(lambda a, b: a + b.sum())(z, params["w1"])
except ValueError as e: print(str(e)[:100])
jax.jit(lambda a: a * 2)(z)
rep = jax.device_put(1.0, shard(P())); jax.jit(lambda a, b: a * b)(rep, params["w2"])
mesh2 = Mesh(devs.T, ("model", "batch")); mesh3 = Mesh(devs, ("batch", "model"))
g = jax.jit(lambda a: a + 1)
a1 = jax.device_put(np.ones((8, 8), np.float32), shard(P("batch", "model")))
g(a1); g(jax.device_put(np.ones((8, 8), np.float32), NamedSharding(mesh3, P("batch", "model")))); g(jax.device_put(np.ones((8, 8), np.float32), NamedSharding(mesh2, P("batch", "model"))))
g(jax.device_put(np.ones((8, 8), np.float32), shard(P(("batch", "model")))))
g(jax.device_put(np.ones((8, 8), np.float32), shard(P(("batch", "model"), None))))
