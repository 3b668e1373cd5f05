# env: XLA_FLAGS=--xla_force_host_platform_device_count=8
# happens: a device_put under jit says which devices the program needs, like a constraint.
# source: https://docs.jax.dev/en/latest/201/placement.html
import jax, jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P, SingleDeviceSharding
d = jax.devices()
left = jax.make_mesh((4,), ("x",), devices=d[:4])
right = jax.make_mesh((4,), ("x",), devices=d[4:])
one = SingleDeviceSharding(d[3])
xa = jax.device_put(jnp.arange(8.0), NamedSharding(left, P("x")))

def attempt(label, target, x):
    f = jax.jit(lambda v: jax.device_put(v * 2, target))
    try:
        for _ in range(2):
            r = f(x)
        note(label, [str(r.sharding), r.committed])
    except ValueError as error:
        note(label, str(error).partition(" at ")[0])

attempt("same mesh", NamedSharding(left, P()), xa)
attempt("other mesh", NamedSharding(right, P("x")), xa)
attempt("one device", one, xa)
attempt("one device of one", one, jnp.ones(3))
attempt("device", d[3], jnp.ones(3))
attempt("mesh of committed", NamedSharding(left, P("x")), jax.device_put(jnp.ones(8), d[1]))
attempt("nowhere", None, xa)
