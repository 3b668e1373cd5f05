# shows: Disk cache, clear_caches and eager operations over three processes.
# processes: 3
import os, jax, jax.numpy as jnp
jax.config.update("jax_compilation_cache_dir", os.path.join(CASE_TMP if "CASE_TMP" in globals() else os.environ["CASE_TMP"], "c"))
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
@jax.jit
def f(x): return jnp.sin(x) + 1
p = int(os.environ["CASE_PROCESS"])
call("f", lambda: f(jnp.ones(3 + (p == 2))))
call("again", lambda: f(jnp.ones(3)))
jax.clear_caches()
call("cleared", lambda: f(jnp.ones(3)))
call("eager", lambda: jnp.add(1, p))
