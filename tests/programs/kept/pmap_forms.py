# happens: jax.pmap keeps a jitted shard_map per function and options: written out again it is found
#   again. Other axes, static values, devices or another size make another one.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import functools

import jax
import jax.numpy as jnp
import numpy as np

x = np.arange(8.0, dtype=np.float32).reshape(4, 2)


def scaled(x, w):
    return x * w


def power(n, x):
    return x**n


def total(x):
    return jax.lax.psum(x, "d"), jax.lax.axis_index("d")


f = jax.pmap(scaled, in_axes=(0, None))
call("one argument for all", lambda: f(x, 2.0))
call("again", lambda: f(x, 3.0))
call("written out again", lambda: jax.pmap(scaled, in_axes=(0, None))(x, 2.0))
call("the other axis", lambda: jax.pmap(scaled, in_axes=(1, None), out_axes=1)(x, 2.0))
call("on two devices", lambda: f(x[:2], 2.0))
call("and again on four", lambda: f(x, 2.0))
call("another dtype", lambda: f(x.astype(np.int32), 2))

g = jax.pmap(power, static_broadcasted_argnums=0)
call("static 2", lambda: g(2, x))
call("static 2 again", lambda: g(2, x))
call("static 3", lambda: g(3, x))
call("static 2 once more", lambda: g(2, x))
call("static 2.0", lambda: g(2.0, x))
call("static list", lambda: g([2], x))

h = jax.pmap(total, axis_name="d")
call("a named axis", lambda: h(x))
call("a named axis again", lambda: h(x))
call("its result goes in", lambda: h(h(x)[0]))
call("its result goes in again", lambda: h(h(x)[0]))
call("out_axes None", lambda: jax.pmap(lambda v: jax.lax.pmean(v, "d"), axis_name="d",
                                       out_axes=None)(x))
call("some devices", lambda: jax.pmap(total, axis_name="d", devices=jax.devices()[2:])(x[:2]))


@functools.partial(jax.pmap, axis_name="d")
def step(params, batch):
    grad = jax.lax.pmean(batch["x"] * batch["y"] - params["w"], "d")
    return {"w": params["w"] - 0.1 * grad}


params = {"w": np.ones((4, 2), np.float32)}
batch = {"x": x, "y": x + 1}
for i in range(3):
    def one():
        global params
        params = step(params, batch)
        return params
    call(f"step {i}", one)

call("by name", lambda: jax.pmap(scaled)(x, w=x))
call("under jit", lambda: jax.jit(lambda v: jax.pmap(lambda u: u + 1)(v))(x))
call("donated", lambda: jax.pmap(lambda v: v + 1, donate_argnums=0)(jax.device_put(x)))
call("too many", lambda: jax.pmap(lambda v: v)(np.ones((5, 2), np.float32)))
call("nothing mapped", lambda: jax.pmap(lambda v: v)(3.0))
call("another axis_size", lambda: jax.pmap(lambda v: v, axis_size=3)(x))
call("axes that are no ints", lambda: jax.pmap(scaled, in_axes=("a", None)))
call("fewer arguments than static ones", lambda: jax.pmap(power, static_broadcasted_argnums=2)(2, x))
jax.clear_caches()
call("after clear_caches", lambda: jax.pmap(scaled, in_axes=(0, None))(x, 2.0))
