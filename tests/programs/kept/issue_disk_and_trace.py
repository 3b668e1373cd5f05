# shows: A big captured array: the disk answers although tracing misses.
# source: https://github.com/jax-ml/jax/issues/22281
# processes: 2
import os, jax
jax.config.update("jax_compilation_cache_dir", os.path.join(os.environ["CASE_TMP"], "c"))
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
import jax.numpy as jnp
x = jnp.ones((64, 64))
@jax.jit
def shifted(y): return x + y
with jax.log_compiles():
    shifted(jnp.array(1.0))
    shifted(jnp.array(2.0))
    shifted(3.0)
