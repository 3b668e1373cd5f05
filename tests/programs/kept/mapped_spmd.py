# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
"""vmap(spmd_axis_name=…): the mapped axis is cut along a mesh axis by the constraints inside."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

mesh = Mesh(np.array(jax.devices()).reshape(2, 2), ("a", "b"))
x = jnp.arange(64.0).reshape(2, 4, 8)


def inner(v, spec=P("b")):
    return jax.lax.with_sharding_constraint(v * 2, NamedSharding(mesh, spec)) + 1


call("eager", lambda: jax.vmap(inner, spmd_axis_name="a")(x))
call("jitted", lambda: jax.jit(jax.vmap(inner, spmd_axis_name="a"))(x))
call("jitted again", lambda: jax.jit(jax.vmap(inner, spmd_axis_name="a"))(x))
note("jaxpr", str(jax.make_jaxpr(jax.vmap(inner, spmd_axis_name="a"))(x)))
note("sharding", str(jax.vmap(inner, spmd_axis_name="a")(x).sharding))
for spec in (P(), P(None, "b"), P("b", None)):
    note(f"jaxpr {spec}", str(jax.make_jaxpr(jax.vmap(lambda v: inner(v, spec), spmd_axis_name="a"))(x)))
    note(f"jaxpr {spec} last", str(jax.make_jaxpr(
        jax.vmap(lambda v: inner(v, spec), 2, 2, spmd_axis_name="a"))(x)))
call("several names", lambda: jax.jit(jax.vmap(
    lambda v: inner(v, P()), spmd_axis_name=("a", "b")))(jnp.ones((4, 4, 8))))
call("the name is used", lambda: jax.vmap(lambda v: inner(v, P("a")), spmd_axis_name="a")(x))
call("without constraints", lambda: jax.vmap(lambda v: v + 1, spmd_axis_name="a")(x))
g = jax.jit(lambda v: v + 1, out_shardings=NamedSharding(mesh, P("b")))
call("jit with a sharding", lambda: jax.vmap(g, spmd_axis_name="a")(x))
note("jaxpr of jit with a sharding", str(jax.make_jaxpr(jax.vmap(g, spmd_axis_name="a"))(x)))
call("nested maps", lambda: jax.jit(jax.vmap(jax.vmap(inner), spmd_axis_name="a"))(x[None] * jnp.ones((2, 1, 1, 1))))
