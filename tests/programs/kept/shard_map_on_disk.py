# happens: in the persistent cache a program is what it does: what types say about varying, and how
#   the Python was written, is not in it; specs and the name of an axis are.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"])
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
mesh = Mesh(np.array(jax.devices()), ("i",))
x = jnp.arange(8.0)


def f(v):
    return v * 2 + jax.lax.psum(v, "i")


def fresh(in_specs=P("i"), **options):
    return jax.jit(jax.shard_map(f, mesh=mesh, in_specs=in_specs, out_specs=P("i"), **options))(x)


call("written", lambda: fresh())
call("found", lambda: fresh())
call("unchecked", lambda: fresh(check_vma=False))
call("other specs", lambda: fresh(in_specs=P()))
call("pmap", lambda: jax.pmap(lambda v: v, axis_name="i")(x[:4]))
call("pmap, another axis name", lambda: jax.pmap(lambda v: v + 0, axis_name="q")(x[:4]))
jax.clear_caches()
call("after clear_caches", lambda: fresh())
call("pmap after clear_caches", lambda: jax.pmap(lambda v: v, axis_name="i")(x[:4]))
