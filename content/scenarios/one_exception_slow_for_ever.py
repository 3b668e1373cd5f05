# title: One exception, slow for ever
# kind: surprise
# about: fast_path trace
# decisive: g(x) again
# expected: after a failed call, the next one starts afresh.
# happens: C++ keeps a dead entry for that signature: the call works again, but through Python every time, until the cache of the function is cleared.
# source: jaxlib/pjit.cc: PjitCacheEntry.fall_back_to_python
import jax
import jax.numpy as jnp
from jax import lax

state = {"fail": True, "runs": 0}

def f(x):
    state["runs"] += 1
    if state["fail"]:
        raise ValueError("not today")
    return lax.sin(x)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])

call("g(x) raises", lambda: g(x))
state["fail"] = False
call("g(x)", lambda: g(x))
call("g(x) again", lambda: g(x))
g.clear_cache()
call("g(x) after g.clear_cache()", lambda: g(x))
call("g(x) again, at last", lambda: g(x))
