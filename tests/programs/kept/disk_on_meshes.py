# expected: asking for a sharding, or not, is another program on disk
# happens: the module has the place of a result only with explicit axes, as its type says it
# source: jax/_src/interpreters/mlir.py: lower_with_sharding_in_types
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import os
import jax, jax.numpy as jnp, numpy as np
from jax import lax
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P
jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"])
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
for kind in (AxisType.Auto, AxisType.Explicit):
    mesh = jax.make_mesh((4,), ("x",), axis_types=(kind,))
    x = np.ones((4,), np.float32)
    a = jax.device_put(x, NamedSharding(mesh, P("x")))
    def pair(label, *fs):
        for i, f in enumerate(fs):
            f.__name__ = f.__qualname__ = "f"
            call(f"{label} {kind} {i}", lambda: jax.jit(f)(a))
    with jax.set_mesh(mesh):
        pair("broadcast", lambda x: lax.broadcast_in_dim(x, (2, 4), (1,)), lambda x: lax.broadcast_in_dim(x, (2, 4), (1,), out_sharding=P(None, "x")))
        pair("full", lambda x: lax.full((4,), 2.0), lambda x: lax.full_like(x, 2.0, shape=(4,), sharding=None), lambda x: jnp.broadcast_to(2.0, (4,)))
        pair("full_like", lambda x: lax.full_like(x, 2.0), lambda x: jnp.full_like(x, 2.0))
        pair("iota", lambda x: lax.iota(np.float32, 4), lambda x: lax.broadcasted_iota(np.float32, (4,), 0))
        pair("squeeze", lambda x: lax.squeeze(lax.broadcast_in_dim(x, (1, 4), (1,)), (0,)), lambda x: lax.reshape(lax.broadcast_in_dim(x, (1, 4), (1,)), (4,)))
        pair("times", lambda x: x * 2.0, lambda x: x * lax.full_like(x, 2.0))
        call(f"eager {kind}", lambda: lax.broadcast_in_dim(np.float32(1), (3,), ()))
        call(f"grad {kind}", lambda: jax.grad(lambda x: jnp.sum(x * 2.0))(jnp.ones(3)))
        call(f"sum {kind}", lambda: jnp.sum(jnp.ones(3)))
