# title: The name on the file
# kind: surprise
# about: disk
# decisive: jax.jit(renamed)(x)
# expected: the same body is the same program, whatever its name.
# happens: the name is part of the module: a renamed function is not found on disk, while two unrelated lambdas with one body are one file.
# source: jax/_src/cache_key.py: get
import os
import jax
import jax.numpy as jnp
from jax import lax

jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"] + "/cache")
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)

def f(x):
    return lax.sin(x)

def renamed(x):
    return lax.sin(x)

x = jnp.asarray([0.0, 1.0, 2.0])

call("jax.jit(f)(x)", lambda: jax.jit(f)(x))
call("jax.jit(renamed)(x)", lambda: jax.jit(renamed)(x))
call("a lambda", lambda: jax.jit(lambda x: lax.sin(x))(x))
call("another lambda", lambda: jax.jit(lambda x: lax.sin(x))(x))
