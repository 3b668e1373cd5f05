# title: A disk cache that stores nothing
# kind: surprise
# about: disk
# decisive: g(x) after clear_caches()
# expected: with a directory set, compiled programs are stored.
# happens: the default threshold skips what compiles in less than a second: nothing is written, and as the event for a miss is sent only when something is, no counter shows it.
# source: jax/_src/compiler.py: _cache_write; jax/_src/compilation_cache.py: put_executable_and_time
import os
import jax
import jax.numpy as jnp
from jax import lax

folder = os.environ["CASE_TMP"] + "/cache"
jax.config.update("jax_compilation_cache_dir", folder)

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])
seen = []
jax.monitoring.register_event_listener(lambda event, **_: seen.append(event))

call("g(x)", lambda: g(x))
jax.clear_caches()
call("g(x) after clear_caches()", lambda: g(x))
note("cache_misses events", seen.count("/jax/compilation_cache/cache_misses"))
note("files", len(os.listdir(folder)) if os.path.exists(folder) else None)
