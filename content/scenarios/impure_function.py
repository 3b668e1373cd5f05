# title: What runs only once
# kind: surprise
# about: trace
# decisive: g(x) again
# expected: every line of a function runs on every call.
# happens: the function runs while it is traced and not again: what it appends, prints or reads from outside happens once, and the jaxpr keeps the value it saw.
# source: jax/_src/interpreters/partial_eval.py: trace_to_jaxpr_nocache
import jax
import jax.numpy as jnp

seen = []
scale = 2.0

@jax.jit
def g(x):
    seen.append("ran")
    return x * scale

x = jnp.asarray([0.0, 1.0, 2.0])
call("g(x)", lambda: g(x))
scale = 10.0
call("g(x) again", lambda: g(x))
note("times the body ran", len(seen))
call("g(longer)", lambda: g(jnp.ones(4)))
note("times the body ran, with a new shape", len(seen))
