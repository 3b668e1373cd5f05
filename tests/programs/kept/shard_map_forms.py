# happens: the ways to write a shard_map: a mesh from the context, specs inferred from explicit
#   types, as a decorator, over some axes only, smap, the old name, closed-over arrays, nested.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

auto = Mesh(np.array(jax.devices()), ("i",))
square = Mesh(np.array(jax.devices()).reshape(2, 2), ("x", "y"))
explicit = jax.make_mesh((4,), ("i",))
x = np.arange(8.0, dtype=np.float32)


@jax.jit
@functools.partial(jax.shard_map, mesh=auto, in_specs=P("i"), out_specs=P("i"))
def decorated(v):
    return v + 1


call("decorated", lambda: decorated(x))
call("decorated again", lambda: decorated(x))

from_context = jax.jit(jax.shard_map(lambda v: v * jax.lax.psum(1, "i"), in_specs=P("i"),
                                     out_specs=P("i")))
call("no mesh anywhere", lambda: from_context(x))
with jax.set_mesh(auto):
    call("a mesh in context", lambda: from_context(x))
    call("a mesh in context again", lambda: from_context(x))
call("out of the context", lambda: from_context(x))

placed = jax.device_put(x, NamedSharding(explicit, P("i")))
with jax.set_mesh(explicit):
    inferred = jax.jit(jax.shard_map(lambda v: v + jax.lax.pmean(v, "i"), out_specs=P("i")))
    call("inferred", lambda: inferred(placed))
    call("inferred again", lambda: inferred(placed))
    call("inferred, and not cut",
         lambda: jax.jit(jax.shard_map(lambda v: v * 2, out_specs=P()))(jnp.arange(4.0)))
    small = jax.jit(jax.smap(lambda v: v * 2, in_axes=0, out_axes=0, axis_name="i"))
    call("smap", lambda: small(placed))
    call("smap again", lambda: small(placed))

c = jnp.arange(2.0)
closing = jax.jit(jax.shard_map(lambda v: v + c, mesh=auto, in_specs=P("i"), out_specs=P("i")))
call("a closed-over array", lambda: closing(x))
call("a closed-over array again", lambda: closing(x))

some = jax.jit(lambda v: jax.shard_map(lambda v: v + jax.lax.psum(v, "x"), mesh=square,
                                       in_specs=P("x"), out_specs=P("x"), axis_names={"x"})(v))
call("over one of two axes", lambda: some(x))
call("over one of two axes again", lambda: some(x))


@jax.jit
def nested(v):
    def inner(v):
        return jax.shard_map(lambda u: u * jax.lax.axis_size("y") + jax.lax.psum(u, "y"),
                             in_specs=P(None, "y"), out_specs=P(None, "y"), axis_names={"y"})(v)
    return jax.shard_map(inner, mesh=square, in_specs=P("x"), out_specs=P("x"),
                         axis_names={"x"})(v)


call("one inside another", lambda: nested(np.arange(16.0, dtype=np.float32).reshape(4, 4)))

from jax.experimental.shard_map import shard_map as old  # noqa: E402

call("the old name", lambda: jax.jit(old(lambda v: v * 2, mesh=auto, in_specs=P("i"),
                                         out_specs=P("i"), check_rep=False))(x))
call("a static argument", lambda: jax.jit(
    lambda v: jax.shard_map(lambda v, n: v * n, mesh=auto, in_specs=(P("i"), None),
                            out_specs=P("i"))(v, 3))(x))
call("a tree of specs", lambda: jax.jit(jax.shard_map(
    lambda d: {"a": d["a"] * 2, "b": d["b"]}, mesh=auto, in_specs=({"a": P("i"), "b": P()},),
    out_specs={"a": P("i"), "b": P()}))({"a": x, "b": np.float32(1)}))
call("two of them in one program", lambda: jax.jit(
    lambda v: closing(decorated(v)) + decorated(v))(x))
