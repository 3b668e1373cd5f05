# title: A static value nobody reads
# kind: minimal
# about: disk
# decisive: g(x, mode='b')
# expected: another static value is another program, everywhere.
# happens: every in-memory cache has the value in its key and misses; the module it leads to is byte for byte the same, so the disk answers.
# source: jax/_src/cache_key.py: _hash_computation
import os
import jax
import jax.numpy as jnp
from jax import lax

jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"] + "/cache")
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)

def f(x, mode):
    return lax.sin(x)

g = jax.jit(f, static_argnames="mode")
x = jnp.asarray([0.0, 1.0, 2.0])
call("g(x, mode='a')", lambda: g(x, mode="a"))
call("g(x, mode='b')", lambda: g(x, mode="b"))
