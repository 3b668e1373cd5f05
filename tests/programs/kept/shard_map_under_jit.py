# happens: under jit a shard_map is traced as a part of the function around it: what was jitted once
#   is found again, a new function or a new lambda is not. A mesh that is equal by value is the same
#   mesh; other specs, another order of devices, another shape are not.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("i",))
x = np.arange(8.0, dtype=np.float32)
w = np.float32(2.0)


def scaled(x, w):
    return x * w + jax.lax.psum(x, "i")


f = jax.jit(jax.shard_map(scaled, mesh=mesh, in_specs=(P("i"), P()), out_specs=P("i")))
call("jitted", lambda: f(x, w))
call("again", lambda: f(x, w))
call("from its own result", lambda: f(f(x, w), w))
call("again from its own result", lambda: f(f(x, w), w))
call("another shape", lambda: f(np.arange(16.0, dtype=np.float32), w))
call("another dtype", lambda: f(np.arange(8), w))


def rebuilt(x, mesh):
    return jax.jit(jax.shard_map(scaled, mesh=mesh, in_specs=(P("i"), P()), out_specs=P("i")))(x, w)


call("jit and shard_map written out", lambda: rebuilt(x, mesh))
call("written out again", lambda: rebuilt(x, mesh))


@jax.jit
def inside(x):
    return jax.shard_map(lambda v: v - jax.lax.pmean(v, "i"), mesh=mesh, in_specs=P("i"),
                         out_specs=P("i"))(x)


call("a lambda inside", lambda: inside(x))
call("a lambda inside, again", lambda: inside(x))


@functools.partial(jax.jit, static_argnums=1)
def on(x, mesh):
    return jax.shard_map(lambda v: v + 1, mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x)


call("the mesh as an argument", lambda: on(x, mesh))
call("an equal mesh", lambda: on(x, Mesh(np.array(jax.devices()), ("i",))))
call("devices in another order", lambda: on(x, Mesh(np.array(jax.devices()[::-1]), ("i",))))
call("a smaller mesh", lambda: on(x, Mesh(np.array(jax.devices()[:2]), ("i",))))
call("an abstract mesh", lambda: on(jax.device_put(x, NamedSharding(mesh, P("i"))),
                                    mesh.abstract_mesh))


@functools.partial(jax.jit, static_argnames="spec")
def cut(x, spec):
    return jax.shard_map(lambda v: v * 3, mesh=mesh, in_specs=spec, out_specs=spec)(x)


y = np.ones((4, 4), np.float32)
call("rows", lambda: cut(y, spec=P("i")))
call("rows, written differently", lambda: cut(y, spec=P("i", None)))
call("columns", lambda: cut(y, spec=P(None, "i")))
call("not cut", lambda: cut(y, spec=P()))
placed = jax.device_put(y, NamedSharding(mesh, P("i")))
call("placed rows", lambda: cut(placed, spec=P("i")))
call("placed rows as columns", lambda: cut(placed, spec=P(None, "i")))
call("and its result as columns", lambda: cut(cut(placed, spec=P(None, "i")), spec=P(None, "i")))
