# title: A word on the command line
# kind: surprise
# about: disk
# decisive: g(x) with a stray argument
# expected: a command line argument that nobody reads changes nothing.
# happens: whatever starts with --xla on the command line goes into the disk key, meaning or not.
# source: jax/_src/cache_key.py: _hash_xla_flags
import os
import sys
import jax
import jax.numpy as jnp
from jax import lax

jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"] + "/cache")
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])

call("g(x)", lambda: g(x))
jax.clear_caches()
call("g(x), caches cleared", lambda: g(x))
jax.clear_caches()
sys.argv.append("--xla_nothing=1")
call("g(x) with a stray argument", lambda: g(x))
sys.argv.pop()
