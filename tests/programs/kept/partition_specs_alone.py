# shows: PartitionSpec without a mesh: under set_mesh, and without one.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import PartitionSpec as P
mesh = jax.make_mesh((2, 2), ("x", "y"))
try: jax.device_put(jnp.ones(4), P("x"))
except ValueError as e: print(e)
jax.set_mesh(mesh)
print(jax.typeof(jnp.ones(3)), jax.typeof(1.0), jax.typeof(np.ones(2)), repr(jax.typeof(True)))
try: jax.typeof("a")
except TypeError as e: print(e)
p = jax.device_put({"w": np.ones((4, 4), np.float32), "b": np.ones(4, np.float32)}, {"w": P("x", "y"), "b": P()})
call("lin", lambda: jax.jit(lambda p, x: x @ p["w"] + p["b"])(p, jax.device_put(np.ones((8, 4), np.float32), P("x"))))
call("wsc", lambda: jax.jit(lambda x: jax.lax.with_sharding_constraint(x * 2, P("y")))(np.ones(4, np.float32)))
call("outs", lambda: jax.jit(lambda x: x * 2, out_shardings=P("x"))(np.ones(4, np.float32)))
call("ins", lambda: jax.jit(lambda x: x * 2, in_shardings=P("x"))(np.ones(4, np.float32)))
call("typeof in jit", lambda: jax.jit(lambda x: (print(jax.typeof(x)), x)[1])(p["w"]))
print(p["w"].sharding, jax.tree.map(lambda a: a.sharding.spec, p))
