# expected: a function without results has no derivative
# happens: the two jacobians say so in different words; texts are no JAX types, by the words of
#   the place that sees them first; bounds of random numbers are scalars where NumPy makes some
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P


def nothing(x):
    y = x * 3.0  # noqa: F841


for name in ("jacrev", "jacfwd", "hessian", "grad"):
    call(name, lambda: getattr(jax, name)(nothing)(2.0))
    call(f"{name} of jit", lambda: getattr(jax, name)(jax.jit(nothing))(2.0))
call("of none", lambda: jax.jacfwd(lambda x: 1.0)(None))
call("result_type", lambda: jnp.result_type())
mesh = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Explicit,))
same = jax.shard_map(lambda x: x, mesh=mesh, in_specs=P("x"), out_specs=P())
for given in ([1, "a"], "text", object(), None, {"s": "a"}, [np.ones(4), "a"]):
    call(f"mapped {type(given).__name__}", lambda: same(given))
    call(f"mapped in jit {type(given).__name__}", lambda: jax.jit(same)(given))
with jax.disable_jit():
    for key in (jax.random.key(0), jax.random.PRNGKey(0)):
        call("normal", lambda: jax.random.normal(key))
        call("uniform", lambda: jax.random.uniform(key, (2,)))
