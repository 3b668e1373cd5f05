# happens: outside of jit each operation in a shard_map is compiled by itself, with a function made
#   for it that is gone afterwards: the same call a second time compiles as much as the first.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("i",))
x = np.arange(8.0, dtype=np.float32)


def scaled(x):
    return x * 2 + jax.lax.psum(x, "i")


g = jax.shard_map(scaled, mesh=mesh, in_specs=P("i"), out_specs=P("i"))
call("eager", lambda: g(x))
call("eager again", lambda: g(x))
call("under jit", lambda: jax.jit(g)(x))
call("eager after jit", lambda: g(x))
placed = jax.device_put(x, NamedSharding(mesh, P("i")))
call("placed", lambda: g(placed))
call("placed again", lambda: g(placed))

unchecked = jax.shard_map(scaled, mesh=mesh, in_specs=P("i"), out_specs=P("i"), check_vma=False)
call("unchecked", lambda: unchecked(x))
call("unchecked again", lambda: unchecked(x))

double = jax.jit(lambda v: v + v)


def steps(x, w):
    y = double(x)
    return {"y": y @ w, "sum": jax.lax.psum(y.sum(), "i"), "at": jax.lax.axis_index("i")[None]}


h = jax.shard_map(steps, mesh=mesh, in_specs=(P("i"), P()),
                  out_specs={"y": P("i"), "sum": P(), "at": P("i")})
call("a tree", lambda: h(np.ones((4, 3), np.float32), np.ones(3, np.float32)))
call("a tree again", lambda: h(np.ones((4, 3), np.float32), np.ones(3, np.float32)))


def branching(x):
    total = jax.lax.pmax(x.max(), "i")
    return x * 2 if total > 3 else x


call("a branch on what all devices know",
     lambda: jax.shard_map(branching, mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x))
call("a branch on what they do not know",
     lambda: jax.shard_map(lambda x: x * 2 if x[0] > 3 else x, mesh=mesh, in_specs=P("i"),
                           out_specs=P("i"))(x))
with jax.disable_jit():
    call("with jit disabled", lambda: g(x))
call("relu", lambda: jax.shard_map(jax.nn.relu, mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x - 3))
