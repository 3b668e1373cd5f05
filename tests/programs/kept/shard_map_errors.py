# happens: what JAX says to specs that do not fit, and which caches were asked before.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("i",))
x = np.arange(8.0, dtype=np.float32)


def same(v):
    return v


def attempt(label, fun, *args, in_specs=P("i"), out_specs=P("i"), **options):
    mapped = jax.shard_map(fun, mesh=mesh, in_specs=in_specs, out_specs=out_specs, **options)
    call(label, lambda: jax.jit(mapped)(*args))


attempt("fine", same, x)
attempt("an axis that the mesh does not have", same, x, in_specs=P("j"))
attempt("too many entries", same, x, in_specs=P(None, "i"))
attempt("a rest", same, np.ones(7, np.float32))
attempt("varies, and says it does not", same, x, out_specs=P())
attempt("varies, unchecked", same, x, out_specs=P(), check_vma=False)
attempt("a scalar cut", lambda v: v.sum(), x)
attempt("no specs", same, x, in_specs=None)
attempt("more specs than arguments", same, x, in_specs=(P("i"), P("i")))
attempt("more specs than results", same, x, out_specs=(P("i"), P()))
attempt("a string", same, x, in_specs="i")
attempt("an axis of another mesh", same, x, axis_names={"z"})
attempt("a collective over no axis", lambda v: jax.lax.psum(v, "q"), x, check_vma=False)
attempt("a carry that begins to vary",
        lambda v: jax.lax.scan(lambda c, t: (c + t, c), jnp.zeros(()), v)[1], x)
call("not callable", lambda: jax.shard_map(3, mesh=mesh, in_specs=P("i"), out_specs=P("i")))
call("no list of axes", lambda: jax.shard_map(same, mesh=mesh, in_specs=P("i"), out_specs=P("i"),
                                              axis_names=["i"])(x))
call("no mesh", lambda: jax.shard_map(same, in_specs=P("i"), out_specs=P("i"))(x))
call("no specs for an automatic mesh", lambda: jax.shard_map(same, mesh=mesh, out_specs=P("i"))(x))
call("pvary outside", lambda: jax.lax.pcast(x, "i", to="varying"))
call("fine again", lambda: jax.jit(jax.shard_map(same, mesh=mesh, in_specs=P("i"),
                                                 out_specs=P("i")))(x))
