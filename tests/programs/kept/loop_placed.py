# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
# Loops over arrays on several devices, and where their results live.
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4,), ("d",), axis_types=(AxisType.Auto,))
split = NamedSharding(mesh, P("d"))
wide = NamedSharding(mesh, P(None, "d"))
xs = jax.device_put(np.arange(12.0, dtype=np.float32).reshape(3, 4), wide)
v = jax.device_put(np.ones(4, np.float32), split)


def body(c, x):
    return c + x, c * 2


def placed(label, thunk):
    out = call(label, thunk)
    note(label + ", where", [str(getattr(a.sharding, "spec", a.sharding)) for a in jax.tree.leaves(out)])


placed("eager scan", lambda: lax.scan(body, v, xs))
placed("eager scan again", lambda: lax.scan(body, v, xs))
jitted = jax.jit(lambda v, xs: lax.scan(body, v, xs))
placed("jitted scan", lambda: jitted(v, xs))
placed("jitted scan, one device", lambda: jitted(jnp.ones(4), jnp.ones((3, 4))))
placed("eager fori", lambda: lax.fori_loop(0, 3, lambda i, c: c * 2, v))
placed("eager while", lambda: lax.while_loop(lambda c: c.sum() < 20, lambda c: c * 2, v))
placed("eager cond", lambda: lax.cond(True, lambda v: v + 1, lambda v: v * 2, v))
second = jax.device_put(np.float32(1), jax.devices()[1])
placed("on the second device", lambda: lax.scan(lambda c, x: (c + x, x), second, np.arange(3.0)))
with jax.set_mesh(mesh):
    placed("with a mesh in context", lambda: lax.scan(body, v, xs))
    placed("jitted, with a mesh in context", lambda: jitted(v, xs))


@jax.jit
def constrained(v, xs):
    def body(c, x):
        return lax.with_sharding_constraint(c + x, split), None
    return lax.scan(body, v, xs)[0]


placed("constraint inside", lambda: constrained(v, xs))
rows = jax.device_put(np.arange(8.0, dtype=np.float32).reshape(4, 2), split)
placed("rows on different devices", lambda: lax.scan(lambda c, x: (c + x, c), jnp.zeros(2), rows))
placed("nested loops", lambda: lax.scan(lambda c, x: (lax.fori_loop(
    0, 2, lambda i, d: d + x, c), None), v, xs))
placed("branch in a loop", lambda: lax.scan(lambda c, x: (lax.cond(
    x[0] > 2, lambda: c + x, lambda: c), x), v, xs))

explicit = jax.make_mesh((4,), ("e",), axis_types=(AxisType.Explicit,))
with jax.set_mesh(explicit):
    ev = jax.device_put(np.ones(4, np.float32), P("e"))
    exs = jax.device_put(np.arange(12.0, dtype=np.float32).reshape(3, 4), P(None, "e"))
    placed("explicit", lambda: lax.scan(body, ev, exs))
    placed("explicit, jitted", lambda: jax.jit(lambda v, xs: lax.scan(body, v, xs))(ev, exs))
    note("explicit, jaxpr", str(jax.make_jaxpr(lambda v, xs: lax.scan(body, v, xs))(ev, exs)))
    call("explicit rows cut along the loop", lambda: lax.scan(body, jnp.zeros(4), jax.device_put(
        np.zeros((4, 4), np.float32), P("e"))))
    call("explicit carry changes", lambda: lax.scan(lambda c, x: (jax.sharding.reshard(c, P()), None), ev, exs))
    placed("explicit fori", lambda: lax.fori_loop(0, 3, lambda i, c: c * 2, ev))
    placed("explicit cond", lambda: lax.cond(True, lambda v: v + 1, lambda v: v * 2, ev))
    call("explicit cond differs", lambda: lax.cond(True, lambda v: v, lambda v: jax.sharding.reshard(v, P()), ev))
