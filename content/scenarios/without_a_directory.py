# title: A key for no file
# kind: surprise
# about: disk
# decisive: g(x)
# expected: without a directory nothing of the disk cache runs.
# happens: nothing is read or written, but the key is made, and the event that counts compilations is recorded for each.
# source: jax/_src/compiler.py: compile_or_get_cached
import jax
import jax.numpy as jnp
from jax import lax

x = jnp.asarray([0.0, 1.0, 2.0])
seen = []
jax.monitoring.register_event_listener(lambda event, **_: seen.append(event))
g = jax.jit(lambda x: lax.sin(x))
call("g(x)", lambda: g(x))
note("requests", seen.count("/jax/compilation_cache/compile_requests_use_cache"))
call("g(x) again", lambda: g(x))
note("requests, after a hit", seen.count("/jax/compilation_cache/compile_requests_use_cache"))
note("hits on disk", seen.count("/jax/compilation_cache/cache_hits"))
