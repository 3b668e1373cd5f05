# title: The trace that is never kept
# kind: surprise
# about: trace
# decisive: second new wrapper
# expected: once the function works again, its trace is kept.
# happens: the failed trace left an entry behind that counts as a hit and holds nothing: every new wrapper runs the Python function again.
# source: jaxlib/weakref_lru_cache.cc; jax/_src/interpreters/partial_eval.py: trace_to_jaxpr
import jax
import jax.numpy as jnp
from jax import lax

state = {"fail": True, "runs": 0}

def f(x):
    state["runs"] += 1
    if state["fail"]:
        raise ValueError("not today")
    return lax.sin(x)

x = jnp.asarray([0.0, 1.0, 2.0])

call("jax.jit(f)(x) raises", lambda: jax.jit(f)(x))
state["fail"] = False
note("runs of f", state["runs"])
call("first new wrapper", lambda: jax.jit(f, donate_argnums=())(x))
note("runs of f, one more", state["runs"])
call("second new wrapper", lambda: jax.jit(f, inline=True)(x))
note("runs of f, one more again", state["runs"])
