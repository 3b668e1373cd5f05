# env: XLA_FLAGS=--xla_force_host_platform_device_count=2
# shows: the deprecated device and backend of jax.jit: what they are in keys, and what they move.
import warnings
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import SingleDeviceSharding

d0, d1 = jax.devices()


def f(x):
    return jnp.sin(x) * 2


x = jnp.arange(3.)
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    g = jax.jit(f, device=d1)
    h = jax.jit(f, backend="cpu")
call("what was said", lambda: str([(w.category.__name__, str(w.message)) for w in seen]))
call("device", lambda: g(x))
call("device again", lambda: g(x))
call("where it is", lambda: f"{g(x).committed} {g(x).sharding} {g(x).devices()}")
call("committed elsewhere", lambda: g(jax.device_put(x, d0)))
call("numpy", lambda: g(np.arange(3, dtype='f4')))
call("backend", lambda: h(x))
call("where backend's is", lambda: f"{h(x).committed} {h(x).devices()}")
call("same device in another wrapper", lambda: jax.jit(f, device=d1)(x))
call("by shardings", lambda: jax.jit(f, in_shardings=SingleDeviceSharding(d1), out_shardings=SingleDeviceSharding(d1))(x))
call("keyword", lambda: g(x=x))
call("nested same", lambda: jax.jit(lambda y: g(y) + 1)(x))
call("nested committed", lambda: jax.jit(lambda y: g(y) + 1)(jax.device_put(x, d0)))
y = g(x)
call("its sharding given to jit", lambda: jax.jit(f, in_shardings=y.sharding)(jax.device_put(x, d0)))
call("an equal one", lambda: jax.jit(f, in_shardings=SingleDeviceSharding(d1))(jax.device_put(x, d0)))
call("both", lambda: jax.jit(f, device=d0, backend="cpu"))
call("in_shardings", lambda: jax.jit(f, device=d0, in_shardings=SingleDeviceSharding(d0)))
call("out_shardings", lambda: jax.jit(f, backend="cpu", out_shardings=SingleDeviceSharding(d0)))
call("no device at all", lambda: jax.jit(f, backend="", in_shardings=None)(x))
for name in ("gpu", "tpu", "cuda"):
    call(name, lambda: jax.jit(f, backend=name)(x))
c = g.lower(x).compile()
call("its shardings", lambda: f"{c.input_shardings} {c.output_shardings}")
call("aot", lambda: c(x))
call("aot committed", lambda: c(jax.device_put(x, d0)))
with jax.set_mesh(jax.make_mesh((2,), ("d",))):
    call("mesh", lambda: jax.jit(f, device=d0)(x))
    call("mesh and a backend that is not there", lambda: jax.jit(f, backend="gpu")(x))
m = jax.sharding.Mesh(np.array(jax.devices()), ("d",))
with m:
    call("legacy mesh", lambda: jax.jit(f, device=d0)(x))
call("jaxpr", lambda: str(jax.make_jaxpr(g)(x)))
call("donate", lambda: jax.jit(f, device=d0, donate_argnums=0)(jnp.arange(3.)))
call("no arguments", lambda: jax.jit(lambda: jnp.ones(3), device=d1)())
def grad(y): return jnp.sum(g(y))
call("grad", lambda: jax.grad(grad)(x))
call("vmap", lambda: jax.vmap(g)(jnp.ones((2,3))))
static = jax.jit(lambda n, y: y * n, static_argnums=0, device=d1)
call("static", lambda: static(2, x))
call("static again", lambda: static(2, x))
