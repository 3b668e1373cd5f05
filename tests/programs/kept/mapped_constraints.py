# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
"""Sharding constraints and jitted functions with shardings, mapped."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

mesh = Mesh(np.array(jax.devices()).reshape(2, 2), ("a", "b"))
s = NamedSharding(mesh, P("a"))
x = jnp.arange(24.0).reshape(3, 8)


def constrained(v):
    return jax.lax.with_sharding_constraint(v * 2, s) + 1


call("constraint", lambda: jax.vmap(constrained)(x))
call("constraint, jitted", lambda: jax.jit(jax.vmap(constrained))(x))
note("jaxpr", str(jax.make_jaxpr(jax.vmap(constrained))(x)))
g = jax.jit(lambda v: v + 1, in_shardings=s, out_shardings=s)
call("jit with shardings", lambda: jax.vmap(g)(x))
note("jaxpr of jit with shardings", str(jax.make_jaxpr(jax.vmap(g))(x)))
y = jnp.arange(64.0).reshape(2, 8, 4)


def put(v, spec):
    return jax.lax.with_sharding_constraint(v, NamedSharding(mesh, spec)) * 2


for spec in (P(), P("a", "b"), P(None, "b"), P(("a", "b")), P("b", "a")):
    call(f"{spec}", lambda: jax.jit(jax.vmap(lambda v: put(v, spec)))(y))
    call(f"{spec}, last axis", lambda: jax.jit(jax.vmap(lambda v: put(v, spec), 2, 2))(y.transpose(1, 2, 0)))
    note(f"jaxpr {spec}", str(jax.make_jaxpr(jax.vmap(lambda v: put(v, spec)))(y)))
call("single device", lambda: jax.vmap(lambda v: jax.lax.with_sharding_constraint(
    v, jax.sharding.SingleDeviceSharding(jax.devices()[0])) + 1)(x))
with jax.set_mesh(jax.make_mesh((2, 2), ("a", "b"), axis_types=(AxisType.Auto,) * 2)):
    call("spec in a mesh", lambda: jax.jit(jax.vmap(lambda v: jax.lax.with_sharding_constraint(v, P("a"))))(x))
h = jax.jit(lambda v, w: (v + 1, w), out_shardings=(s, None))
call("one out_sharding", lambda: jax.vmap(h, (0, None))(x, 1.0))
call("one out_sharding, again", lambda: jax.vmap(h, (0, None))(x, 1.0))
call("nested maps", lambda: jax.jit(jax.vmap(jax.vmap(constrained)))(y.reshape(2, 4, 8)))
note("jaxpr of nested maps", str(jax.make_jaxpr(jax.vmap(jax.vmap(constrained)))(y.reshape(2, 4, 8))))
