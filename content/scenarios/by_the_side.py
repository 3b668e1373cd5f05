# title: What goes in by the side
# kind: surprise
# about: prim params trace
# decisive: jax.grad(lambda a: jnp.sin(a) * a)(one)
# expected: without jit, every operation and every function of jax.numpy is found in one place.
# happens: jitted functions ask params and tracing; bare operations ask the cache at the side: slices and shapes, each operation of a derivative or of a checkpointed function, and each turn of a loop when jit is disabled.
# source: jax/_src/dispatch.py: apply_primitive; jax/_src/ad_checkpoint.py: remat_impl
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

x, one = jax.device_put(np.arange(3, dtype=np.float32)), jax.device_put(np.float32(1))

def wave(a):
    return jnp.sin(a) * a

call("jnp.where(x > 0, x, 0)", lambda: jnp.where(x > 0, x, 0))
call("x[:2]", lambda: x[:2])
call("jnp.zeros(3)", lambda: jnp.zeros(3))
call("jax.grad(lambda a: jnp.sin(a) * a)(one)", lambda: jax.grad(lambda a: jnp.sin(a) * a)(one))
call("another lambda, the same", lambda: jax.grad(lambda a: jnp.sin(a) * a)(one))
call("jax.grad(jax.checkpoint(wave))(one)", lambda: jax.grad(jax.checkpoint(wave))(one))
call("the same, written again", lambda: jax.grad(jax.checkpoint(wave))(one))
with jax.disable_jit():
    call("a loop, jit disabled", lambda: lax.fori_loop(0, 3, lambda i, c: c + one, one))
place = NamedSharding(jax.make_mesh((1,), ("d",), axis_types=(AxisType.Auto,)), P())
call("lax.with_sharding_constraint(x, place)", lambda: lax.with_sharding_constraint(x, place))
call("the constraint, again", lambda: lax.with_sharding_constraint(x, place))
