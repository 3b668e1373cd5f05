# happens: on a mesh of explicit axes operations take out_sharding, and types carry the answer, so it
#   is in the keys; jax.reshard moves, with_sharding_constraint only states.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((4,), ("i",))
x = np.arange(16.0, dtype=np.float32).reshape(4, 4)


def shown(label, fun):
    call(label, fun)
    try:
        note(f"{label}: type", [str(jax.typeof(a)) for a in jax.tree.leaves(fun())])
    except Exception as error:
        note(f"{label}: error", type(error).__name__)


with jax.set_mesh(mesh):
    a = jax.device_put(x, P("i"))
    shown("what is so", lambda: jax.lax.with_sharding_constraint(a, P("i")))
    shown("what is not so", lambda: jax.lax.with_sharding_constraint(a, P(None, "i")))
    shown("reshard", lambda: jax.reshard(a, P(None, "i")))
    shown("reshard under jit", lambda: jax.jit(lambda a: jax.reshard(a, P(None, "i")))(a))
    shown("reshard a tree", lambda: jax.sharding.reshard({"a": a}, P()))
    shown("dot", lambda: jnp.dot(a, a, out_sharding=P("i")))
    shown("dot again", lambda: jnp.dot(a, a, out_sharding=P("i")))
    shown("dot, cut otherwise", lambda: jnp.dot(a, a, out_sharding=P(None, "i")))
    shown("dot, not told", lambda: jnp.dot(a, jax.reshard(a, P(None, "i"))))
    shown("matmul", lambda: jnp.matmul(a, a, out_sharding=P("i")))
    shown("matmul, a batch", lambda: jnp.matmul(jnp.ones((2, 4, 4)), a, out_sharding=P(None, "i")))
    shown("einsum", lambda: jnp.einsum("ab,bc->ac", a, a, out_sharding=P(None, "i")))
    shown("einsum, turned", lambda: jnp.einsum("ab,bc->ca", a, a, out_sharding=P("i")))
    shown("tensordot", lambda: jnp.tensordot(a, a, 1, out_sharding=P("i")))
    shown("dot_general", lambda: jax.lax.dot_general(a, a, (((1,), (0,)), ((), ())),
                                                     out_sharding=P("i")))
    shown("reshape", lambda: jnp.reshape(a, (16,), out_sharding=P("i")))
    shown("the method", lambda: a.reshape(16, out_sharding=P("i")))
    shown("broadcast_to", lambda: jnp.broadcast_to(jnp.arange(4.0), (4, 4), out_sharding=P("i")))
    shown("zeros", lambda: jnp.zeros((4, 4), out_sharding=P("i")))
    shown("full", lambda: jnp.full((4, 4), 2.0, out_sharding=P("i")))
    shown("arange", lambda: jnp.arange(8, out_sharding=P("i")))
    shown("zeros_like", lambda: jnp.zeros_like(a, out_sharding=P(None, "i")))
    shown("iota", lambda: jax.lax.broadcasted_iota(jnp.int32, (4, 4), 0, out_sharding=P("i")))
    shown("an axis the mesh does not have", lambda: jnp.dot(a, a, out_sharding=P("q")))
    f = jax.jit(lambda a: jnp.dot(a, a, out_sharding=P(None, "i")) + 1)
    shown("under jit", lambda: f(a))
    shown("its result goes in", lambda: f(jax.reshard(f(a), P("i"))))
    shown("a gradient", lambda: jax.jit(jax.grad(
        lambda a: jnp.dot(a, a, out_sharding=P("i")).sum()))(a))
shown("no mesh", lambda: jnp.dot(x, x, out_sharding=P("i")))
