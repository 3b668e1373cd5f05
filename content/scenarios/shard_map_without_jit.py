# title: Without a jit around it
# kind: surprise
# about: fast_path trace compile
# decisive: f(x) again
# expected: what the first call compiled is there for the second.
# happens: outside of jit each operation in a shard_map is compiled with a function made for it, which is gone when the call is over, and everything cached for it with it; the second call compiles all of it again.
# source: jax/_src/shard_map.py: _prim_applier
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax
import numpy as np
from jax import lax
from jax.sharding import Mesh, PartitionSpec as P

def shifted(part):
    return part - lax.pmean(part, "i")

mesh = Mesh(np.array(jax.devices()), ("i",))
x = np.arange(8, dtype=np.float32)
f = jax.shard_map(shifted, mesh=mesh, in_specs=P("i"), out_specs=P("i"))
g = jax.jit(f)
call("g(x)", lambda: g(x))
call("g(x) again", lambda: g(x))
call("f(x)", lambda: f(x))
call("f(x) again", lambda: f(x))

def written_out(x):
    equal_mesh = Mesh(np.array(jax.devices()), ("i",))
    return jax.jit(jax.shard_map(shifted, mesh=equal_mesh, in_specs=P("i"), out_specs=P("i")))(x)

call("jax.jit(jax.shard_map(shifted))(x)", lambda: written_out(x))
call("jax.jit(jax.shard_map(shifted))(x) again", lambda: written_out(x))
