# title: What the disk forgives
# kind: surprise
# about: disk
# decisive: g at highest precision
# expected: what retraces also compiles.
# happens: precision, keywords and weak types are in every in-memory key and not in the module: each call misses everything in memory, and the disk answers.
# source: jax/_src/cache_key.py: get
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
strong = jnp.float32(1)
call("g(x)", lambda: g(x))
with jax.default_matmul_precision("highest"):
    call("g at highest precision", lambda: g(x))
call("g(x=x)", lambda: g(x=x))
call("g(strong scalar)", lambda: g(strong))
call("g(weak scalar)", lambda: g(1.0))
