# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
"""vmap over arrays whose sharding is part of their type."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((2, 2), ("data", "model"))
jax.set_mesh(mesh)
x = jax.device_put(jnp.arange(32.0).reshape(8, 4), P("data"))
y = jax.device_put(jnp.arange(32.0).reshape(8, 4), P("data", "model"))
v = jax.device_put(jnp.ones(4), P())


@jax.jit
def f(a):
    return jnp.tanh(a) * 2


def text(label, g, *args, **kw):
    try:
        note(label, str(jax.make_jaxpr(jax.vmap(g, **kw))(*args)))
    except Exception as error:
        note(label, f"{type(error).__name__}: {str(error).splitlines()[0]}")


call("eager", lambda: jax.vmap(lambda a: a * 2 + 1)(x))
call("eager again", lambda: jax.vmap(lambda a: a * 2 + 1)(x))
call("jitted inside", lambda: jax.vmap(f)(x))
call("jitted inside again", lambda: jax.vmap(f)(x))
call("jitted outside", lambda: jax.jit(jax.vmap(f))(x))
call("both axes cut", lambda: jax.vmap(f)(y))
call("along the other", lambda: jax.vmap(f, 1, 1)(y))
call("type of the result", lambda: str(jax.typeof(jax.vmap(f)(y))))
call("sum", lambda: jax.vmap(jnp.sum)(x))
call("closed over", lambda: jax.vmap(lambda a: a + v)(x))
call("unmapped argument", lambda: jax.vmap(lambda a, b: a * b, (0, None))(x, v))
call("a number", lambda: jax.vmap(lambda a, b: a * b, (0, None))(x, 2.0))
call("broadcast result", lambda: jax.vmap(lambda a: v)(x))
call("numpy beside it", lambda: jax.vmap(lambda a, b: a * b, (0, None))(x, np.ones(4, "f4")))
text("jaxpr", lambda a: (a * 2).sum(), x)
text("jaxpr of f", f, x)
text("jaxpr, closed over", lambda a: a + v, x)
text("jaxpr, broadcast result", lambda a: v, x)
text("jaxpr, where", lambda a: jnp.where(a[0] > 0, a, v), x)
text("jaxpr, stack", lambda a: jnp.stack([a, a]), x)
text("jaxpr, reshape", lambda a: a.reshape(2, 2), x)
text("jaxpr, iota", lambda a: a + jnp.arange(4.0), x)
text("jaxpr, zeros", lambda a: a + jnp.zeros(4), x)
text("jaxpr, sort", lambda a: jnp.sort(a), x)
text("jaxpr, product", lambda a: a @ jnp.ones((4, 3)), x)
text("jaxpr, two maps", jax.vmap(lambda a: a * 2), y)
text("jaxpr, scan", lambda a: jax.lax.scan(lambda c, b: (c + b, c), 0.0, a), x)
text("jaxpr, cond", lambda a: jax.lax.cond(a[0] > 0, jnp.sin, jnp.cos, a), x)
text("jaxpr, gradient", jax.grad(lambda a: (a * a).sum()), x)
text("other sharding of the mapped axis", lambda a, b: a + b, x, jax.device_put(x, P(None, "model")))
text("unmapped along the same mesh axis", lambda a, b: a[:1] + b[:1], x, x, in_axes=(0, None))
text("named axis", lambda a: jax.lax.psum(a, "i"), x, axis_name="i")
