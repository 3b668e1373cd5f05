# title: Two ways to call back
# kind: surprise
# about: fast_path disk
# decisive: noisy(x) again
# expected: a function that calls back into Python is slow and cannot be cached.
# happens: pure_callback counts as pure: the fast path answers; debug.print is an effect and enters Python on every call; both are found on disk.
# source: jax/_src/pjit.py: _get_fastpath_data
import os
import jax
import jax.numpy as jnp
from jax import lax

jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"] + "/cache")
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)

@jax.jit
def pure(x):
    return jax.pure_callback(lambda v: v, jax.ShapeDtypeStruct((3,), jnp.float32), x)

@jax.jit
def noisy(x):
    jax.debug.print("x is here")
    return lax.sin(x)

x = jnp.asarray([0.0, 1.0, 2.0])

call("pure(x)", lambda: pure(x))
call("pure(x) again", lambda: pure(x))
call("noisy(x)", lambda: noisy(x))
call("noisy(x) again", lambda: noisy(x))
jax.clear_caches()
call("pure(x) after clear_caches()", lambda: pure(x))
call("noisy(x) after clear_caches()", lambda: noisy(x))
