# title: The folder chosen first
# kind: surprise
# about: disk
# decisive: jax.jit(second)(x)
# expected: another cache directory is used from then on.
# happens: the directory is read once: after the change, files still go to the old one, until reset_cache() makes JAX read it again.
# source: jax/_src/compilation_cache.py: _initialize_cache
import os
import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental.compilation_cache import compilation_cache

x = jnp.asarray([0.0, 1.0, 2.0])   # made before there is a cache: asarray compiles a program too
old, new = os.environ["CASE_TMP"] + "/old", os.environ["CASE_TMP"] + "/new"
jax.config.update("jax_compilation_cache_dir", old)
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)

def files(folder):
    return len(os.listdir(folder)) if os.path.exists(folder) else 0

def first(x):
    return lax.sin(x)

def second(x):
    return lax.cos(x)

call("jax.jit(first)(x)", lambda: jax.jit(first)(x))
note("files in old, new", [files(old), files(new)])
jax.config.update("jax_compilation_cache_dir", new)
call("jax.jit(second)(x)", lambda: jax.jit(second)(x))
note("files in old, new, after the change", [files(old), files(new)])
compilation_cache.reset_cache()
call("another, after reset_cache()", lambda: jax.jit(lambda x: lax.sin(x))(x))
note("files in old, new, after reset_cache()", [files(old), files(new)])
