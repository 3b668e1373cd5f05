# title: Two settings, each on its own
# kind: surprise
# about: trace disk
# decisive: h(x) from disk, misses explained
# expected: jax_explain_cache_misses tells of each visit to the disk.
# happens: it tells of misses alone; what was found on disk is told by jax_log_compiles, which in turn says nothing of a miss. No cache notices either of them.
# source: jax/_src/compiler.py: log_persistent_cache_hit; jax/_src/compiler.py: log_persistent_cache_miss
# log: off
import os
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"] + "/cache")
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)

def sine(x):
    return lax.sin(x)

def cosine(x):
    return lax.cos(x)

g, h = jax.jit(sine), jax.jit(cosine)
x = jnp.asarray([0.0, 1.0, 2.0])
jax.config.update("jax_log_compiles", True)
call("g(x), compilations logged", lambda: g(x))
jax.clear_caches()
call("g(x) from disk, compilations logged", lambda: g(x))
jax.config.update("jax_log_compiles", False)
jax.config.update("jax_explain_cache_misses", True)
call("h(x), misses explained", lambda: h(x))
jax.clear_caches()
call("h(x) from disk, misses explained", lambda: h(x))
jax.config.update("jax_explain_cache_misses", False)
jax.config.update("jax_log_compiles", True)
call("h(x) again, the settings exchanged", lambda: h(x))
call("h(xn), the settings exchanged", lambda: h(np.asarray(x)))
