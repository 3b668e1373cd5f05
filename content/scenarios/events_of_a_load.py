# title: What the events count
# kind: surprise
# about: disk
# decisive: g(x) after clear_caches()
# expected: each event for a compilation is a compilation.
# happens: XLA's step has one event, which is recorded for a load from disk too; a hit on disk has an event of its own, and a hit of the fast path has none.
# source: jax/_src/compiler.py: compile_or_get_cached; jax/_src/dispatch.py: BACKEND_COMPILE_EVENT
import os
import jax
import jax.numpy as jnp
from jax import lax

jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"] + "/cache")
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
seen = []
jax.monitoring.register_event_listener(lambda event, **_: seen.append(event))
jax.monitoring.register_event_duration_secs_listener(lambda event, _, **__: seen.append(event))
COMPILED = "/jax/core/compile/backend_compile_duration"
FOUND = "/jax/compilation_cache/cache_hits"

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])
seen.clear()
call("g(x)", lambda: g(x))
note("compiled, found on disk", [seen.count(COMPILED), seen.count(FOUND)])
call("g(x) again", lambda: g(x))
note("after a hit", [seen.count(COMPILED), seen.count(FOUND)])
jax.clear_caches()
call("g(x) after clear_caches()", lambda: g(x))
note("after a load", [seen.count(COMPILED), seen.count(FOUND)])
