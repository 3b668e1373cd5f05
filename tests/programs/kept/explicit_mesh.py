# shows: Disk cache and an explicit mesh, two processes.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
# processes: 2
import os, jax, jax.numpy as jnp, numpy as np
from jax.sharding import *
jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"])
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
P = PartitionSpec
mesh = jax.make_mesh((4,), ("d",), axis_types=(AxisType.Auto,))
dp = NamedSharding(mesh, P("d")); rep = NamedSharding(mesh, P())
@jax.jit
def step(w, x): return w - 0.1 * (x.T @ (x @ w)) / x.shape[0]
w = jax.device_put(np.ones((3, 1), np.float32), rep)
for i in range(2): w = call(f"s{i}", lambda: step(w, jax.device_put(np.ones((8, 3), np.float32), dp)))
call("one dev", lambda: step(np.ones((3, 1), np.float32), np.ones((8, 3), np.float32)))
call("dev1", lambda: step(jax.device_put(np.ones((3, 1), np.float32), jax.devices()[1]), np.ones((8, 3), np.float32)))
ex = jax.make_mesh((2, 2), ("x", "y"), axis_types=(AxisType.Explicit,) * 2)
with jax.set_mesh(ex):
    a = jax.device_put(np.ones((4, 4), np.float32), P("x", "y"))
    call("e+", lambda: a + a)
call("e*2", lambda: a * 2)
call("sum", lambda: a.sum(axis=0))
call("T", lambda: a.T)
call("dot", lambda: jnp.dot(a, a.T) if False else jnp.einsum("ij,kj->ik", a, a) if False else a.max(1))
call("jit", lambda: jax.jit(lambda v: jnp.tanh(v) + 1)(a))
call("ones", lambda: jnp.ones((4, 4)))
call("mixed", lambda: a + jnp.ones((4, 4)))
call("arange", lambda: jax.jit(lambda: jnp.arange(4))())
call("reshape", lambda: a.reshape(16))
call("idx", lambda: a[0])
call("bcast", lambda: a + a[0][None])
call("matmul", lambda: a @ a)
call("after", lambda: a + 1)
