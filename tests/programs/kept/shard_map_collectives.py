# happens: collectives in a jitted shard_map; what varies over an axis and what does not is part of
#   the types that the caches compare.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

line = Mesh(np.array(jax.devices()), ("i",))
square = Mesh(np.array(jax.devices()).reshape(2, 2), ("x", "y"))
x = np.arange(16.0, dtype=np.float32)


def exchange(v):
    ring = [(k, (k + 1) % 4) for k in range(4)]
    return (jax.lax.ppermute(v, "i", ring), jax.lax.all_gather(v, "i"),
            jax.lax.all_gather(v, "i", tiled=True), jax.lax.all_to_all(v, "i", 0, 0, tiled=True),
            jax.lax.psum_scatter(v, "i", tiled=True), jax.lax.pmax(v, "i"), jax.lax.pmin(v, "i"),
            jax.lax.pmean(v, "i"))


for check in (True, False):
    f = jax.jit(jax.shard_map(exchange, mesh=line, in_specs=P("i"),
                              out_specs=(*[P("i")] * 5, *[P()] * 3), check_vma=check))
    call(f"exchange, checked: {check}", lambda f=f: f(x))
    call(f"exchange again, checked: {check}", lambda f=f: f(x))
    text = str(jax.make_jaxpr(f)(x))
    note(f"psum_invariant, checked: {check}", "psum_invariant" in text)
    note(f"varying types, checked: {check}", text.count("{V:i}"))


@jax.jit
def product(a, b):
    # Columns of a times rows of b, summed over the devices that hold them.
    @jax.shard_map(mesh=square, in_specs=(P("x", "y"), P("y", None)), out_specs=P("x", None))
    def block(a, b):
        return jax.lax.psum(jnp.dot(a, b), "y")
    return block(a, b)


a, b = np.arange(16.0, dtype=np.float32).reshape(4, 4), np.ones((4, 2), np.float32)
call("product", lambda: product(a, b))
call("product again", lambda: product(a, b))


@jax.jit
def around(v):
    @jax.shard_map(mesh=line, in_specs=P("i"), out_specs=P("i"))
    def ring(v):
        def step(i, carry):
            total, moving = carry
            moving = jax.lax.ppermute(moving, "i", [(k, (k + 1) % 4) for k in range(4)])
            return total + moving, moving
        return jax.lax.fori_loop(0, 3, step, (v, v))[0]
    return ring(v)


call("a ring in a loop", lambda: around(x))
call("a ring in a loop again", lambda: around(x))


@jax.jit
def scanned(v):
    @jax.shard_map(mesh=line, in_specs=P("i"), out_specs=(P("i"), P("i")))
    def body(v):
        start = jax.lax.pcast(jnp.zeros(()), "i", to="varying")
        last, all_ = jax.lax.scan(lambda c, t: (c + t, c * t), start, v)
        return last[None], all_
    return body(v)


call("a scan", lambda: scanned(x))
call("a scan again", lambda: scanned(x))


@jax.jit
def places(v):
    @jax.shard_map(mesh=square, in_specs=P(("x", "y")), out_specs=P(("x", "y")))
    def body(v):
        here = jax.lax.axis_index(("x", "y"))
        return v * here + jax.lax.axis_size("x") + jax.lax.axis_index("y")
    return body(v)


call("where a device is", lambda: places(x))
call("where a device is, again", lambda: places(x))


@jax.jit
def drawn(key, v):
    @jax.shard_map(mesh=line, in_specs=(P(), P("i")), out_specs=P("i"))
    def body(key, v):
        key = jax.random.fold_in(key, jax.lax.axis_index("i"))
        return v + jax.random.uniform(key, v.shape)
    return body(key, v)


call("random numbers", lambda: drawn(jax.random.key(0), x))
call("random numbers again", lambda: drawn(jax.random.key(1), x))


@jax.jit
def mapped(v):
    return jax.shard_map(jax.vmap(lambda r: r * 2 + jax.lax.psum(r.sum(), "i")), mesh=line,
                         in_specs=P("i"), out_specs=P("i"))(v.reshape(8, 2))


call("vmap inside", lambda: mapped(x))
call("vmap inside again", lambda: mapped(x))


@jax.jit
def chosen(v):
    return jax.shard_map(lambda v: jax.lax.cond(v.sum() > 20, lambda v: v * 2, lambda v: v + 1, v),
                         mesh=line, in_specs=P("i"), out_specs=P("i"))(v)


call("each device its own branch", lambda: chosen(x))
