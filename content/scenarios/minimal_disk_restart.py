# title: A new process
# kind: minimal
# about: disk
# decisive: g(x)
# expected: a new process finds the work of the old one.
# happens: in the second process every in-memory cache is empty, so it traces and lowers; the disk has the executable, so XLA does not run.
# source: jax/_src/cache_key.py: get
# processes: 2
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
