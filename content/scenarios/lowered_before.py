# title: Lowered before it is called
# kind: surprise
# about: trace lower
# decisive: g(x)
# expected: a call that runs XLA says that it compiles.
# happens: the line is written when the module is made, and that was done ahead of time: the call finds the module and only runs XLA, and so does a compilation with options.
# source: jax/_src/interpreters/pxla.py: _cached_lowering_to_hlo
import jax
import jax.numpy as jnp
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])
lowered = call("g.lower(x)", lambda: g.lower(x))
call("g(x)", lambda: g(x))
options = {"xla_cpu_enable_fast_math": True}
call("lowered.compile(options)", lambda: lowered.compile(options))
