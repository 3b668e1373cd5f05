# expected: an array without elements keeps the sharding that was asked for
# happens: XLA replaces it by a constant before it spreads shardings: where the caller leaves
#   a result open on Auto axes, an empty one and what is made of empty ones are replicated
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Auto,))
rows = NamedSharding(mesh, P("x"))
empty = jax.device_put(np.ones((4, 0), np.float32), rows)
full = jax.device_put(np.ones((4, 2), np.float32), rows)
vector = jax.device_put(np.ones(4, np.float32), rows)
host = np.ones((4, 2), np.float32)


def pinned(y):
    return lax.with_sharding_constraint(y, rows)


def mapped(f):
    return jax.shard_map(f, mesh=mesh, in_specs=P("x"), out_specs=P("x"))


def tell(label, f, *args):
    f = jax.jit(f)
    results = call(label, lambda: f(*args))
    call(f"{label} again", lambda: f(*args))
    note(f"{label} lies", jax.tree.map(lambda r: str(r.sharding.spec), results))


tell("same", lambda e: e, empty)
tell("pinned", pinned, empty)
tell("pinned from host", pinned, host[:, :0])
tell("sum of pinned", lambda e: pinned(e).sum(1), host[:, :0])
tell("with a vector", lambda v, e: v + e.sum(1), vector, empty)
tell("with a host vector", lambda v, e: v + e.sum(1), host[:, 0], empty)
tell("joined", lambda x, e: jnp.concatenate([x, e], 1), full, empty)
tell("joined with host", lambda x, e: jnp.concatenate([x, e], 1), host, empty)
tell("in a loop", lambda e: lax.fori_loop(0, 2, lambda i, c: c + 1, e), empty)
tell("stacked", lambda e: lax.scan(lambda c, _: (c + 1, c), e, None, length=2), empty)
tell("both", lambda x, e: (x, e, e.T, e.sum(0)), full, empty)
tell("product", lambda e: e @ e.T, empty)
tell("two products", lambda x, e: (e.T @ x, x.T @ e), full, empty)
tell("cut away", lambda x: x[:, :0], full)
tell("per device", mapped(lambda e: e.sum(1)), empty)
tell("sum of per device", lambda e: mapped(lambda e: e + 1)(e).sum(1), empty)
tell("inner out_shardings", jax.jit(lambda e: e + 1, out_shardings=rows), empty)
turn = jax.shard_map(lambda x: lax.ppermute(x, "x", [(0, 1), (1, 2), (2, 3), (3, 0)]),
                     mesh=mesh, in_specs=P(), out_specs=P("x"))
state = np.zeros((0,), np.int8)
for i in range(3):
    state = call(f"turned {i}", lambda: turn(state))
step = jax.jit(jax.shard_map(jnp.cumsum, mesh=mesh, in_specs=P("x"), out_specs=P(), check_vma=False))
state = jnp.ones((0,), bool)
for i in range(3):
    state = call(f"step {i}", lambda: step(state))
