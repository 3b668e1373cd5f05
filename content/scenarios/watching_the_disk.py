# title: What the disk cache says
# kind: story
# about: disk
# decisive: g(x) after clear_caches()
# expected: nothing tells whether the disk cache works.
# happens: with compilations logged, misses explained and a directory set, each compilation logs whether it was found, written, or why not; three events count the same.
# source: jax/_src/compiler.py: log_persistent_cache_miss; jax/_src/compilation_cache.py: put_executable_and_time
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
names = [name.partition("-")[0] for name in os.listdir(os.environ["CASE_TMP"] + "/cache")]
note("files of f", names.count("jit_f"))
jax.config.update("jax_persistent_cache_min_compile_time_secs", 1)
call("jax.jit(lax.cos)(x), with the default threshold", lambda: jax.jit(lax.cos)(x))
