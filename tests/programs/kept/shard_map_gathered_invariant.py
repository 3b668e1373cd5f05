# happens: a gather whose result is the same on all devices, under vmap on either side, and backwards.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax
import numpy as np
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("i",))
x = np.arange(16.0, dtype=np.float32).reshape(4, 4)


def over(f, in_specs=P("i")):
    return jax.shard_map(f, mesh=mesh, in_specs=in_specs, out_specs=P())


for tiled in (True, False):
    def gathered(v, tiled=tiled):
        return jax.lax.all_gather(v, "i", axis=0, tiled=tiled, to="invarying")

    inside = jax.jit(over(jax.vmap(gathered), P(None, "i")))
    call(f"vmap inside, tiled: {tiled}", lambda f=inside: f(x))
    outside = jax.jit(jax.vmap(over(gathered)))
    call(f"vmap outside, tiled: {tiled}", lambda f=outside: f(x))
    slope = jax.jit(jax.grad(over(lambda v, g=gathered: g(v).sum())))
    call(f"a gradient, tiled: {tiled}", lambda f=slope: f(x))
