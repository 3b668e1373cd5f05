# expected: a module of the package is a name of it
# happens: only when something has imported it, as everywhere in Python
# source: jax/__init__.py; jax/experimental/__init__.py
import jax, jax.numpy as jnp
from jax import lax
x = jnp.ones(3)
def tried(label, f):
    call(label, lambda: f() and None)
tried("ad_checkpoint", lambda: jax.ad_checkpoint)
tried("flatten_util", lambda: jax.flatten_util)
tried("checkify", lambda: jax.experimental.checkify)
tried("mesh_utils", lambda: jax.experimental.mesh_utils)
tried("cache", lambda: jax.experimental.compilation_cache)
import jax.ad_checkpoint
import jax.flatten_util
import jax.experimental.checkify
from jax.experimental import mesh_utils
tried("ad_checkpoint", lambda: jax.ad_checkpoint.checkpoint_name)
tried("flatten_util", lambda: jax.flatten_util.ravel_pytree)
tried("checkify", lambda: jax.experimental.checkify.checkify)
tried("mesh_utils", lambda: jax.experimental.mesh_utils.create_device_mesh)
from jax.experimental.shard_map import shard_map
tried("shard_map", lambda: jax.experimental.shard_map.shard_map)
