# title: Step by step, ahead of time
# kind: story
# about: trace lower compile
# decisive: compiled(wrong)
# expected: a compiled function takes whatever the jitted one takes.
# happens: it is one program: it takes the types it was made for and raises for others, never compiling again.
# source: jax/_src/stages.py: Compiled
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])
wrong = np.zeros(4, np.float32)
traced = call("g.trace(x)", lambda: g.trace(x))
lowered = call("traced.lower()", lambda: traced.lower())
compiled = call("lowered.compile()", lambda: lowered.compile())
call("compiled(x)", lambda: compiled(x))
call("compiled(x), again", lambda: compiled(x))
call("compiled(wrong)", lambda: compiled(wrong))
call("g(x)", lambda: g(x))
