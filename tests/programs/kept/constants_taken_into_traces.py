# expected: a constant beside a tracer asks the caches of eager operations
# happens: a trace takes a value in by itself; only at top level that is an operation. The value
#   of a tracer is looked at only where nothing else decides.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Auto,))


@jax.custom_jvp
def doubled(x):
    return x * 2.0


doubled.defjvp(lambda p, t: (doubled(p[0]), t[0] * 2.0))
by_rule = jax.jit(jax.grad(lambda x: jnp.sum(doubled(x))))
with jax.disable_jit():
    for i in range(2):
        call(f"rule {i}", lambda: by_rule(2.0))
    call("rule of array", lambda: by_rule(jnp.ones(2)))
call("eager rule", lambda: jax.grad(lambda x: jnp.sum(doubled(x)))(2.0))
call("forward", lambda: jax.jvp(lambda x: x * 2.0 + 1, (2.0,), (1.0,)))
call("mapped", lambda: jax.vmap(lambda x: lax.add(x, jnp.float32(2.0)))(jnp.ones(3)))
call("stage", lambda: (lax.stage(2.0), jax.vmap(lambda x: lax.stage(2.0) + x)(jnp.ones(2))))
call("stage in grad", lambda: jax.grad(lambda x: lax.stage(x) * lax.stage(3.0))(2.0))
call("linear", lambda: jax.linearize(lambda x: lax.stage(x) * 2.0, 3.0)[1](1.0))
call("checkpoint", lambda: jax.grad(jax.checkpoint(lambda x: jnp.sin(x) * 2.0))(2.0))


def per_device(f):
    return jax.shard_map(f, mesh=mesh, in_specs=P(), out_specs=P(None, "x"))


x = np.ones((4, 2), np.float32)
call("branch", lambda: per_device(lambda x: lax.cond(
    jnp.sum(lax.psum(x, "x")) > 0, lambda v: v + 1, lambda v: v - 1, x))(x))
call("constant", lambda: per_device(lambda x: lax.add(lax.psum(x, "x"), lax.stage(np.float32(1))))(x))
