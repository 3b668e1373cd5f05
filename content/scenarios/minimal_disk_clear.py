# title: Clear the caches, keep the disk
# kind: minimal
# about: disk
# decisive: g(x) after clear_caches()
# expected: jax.clear_caches() makes the next call compile.
# happens: all in-memory caches are empty and miss, but the executable is loaded from disk: the function is traced and lowered, XLA does not run.
# source: jax/_src/compilation_cache.py: get_executable_and_time
import os
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
call("g(x) after clear_caches()", lambda: g(x))
