# title: Compile with empty options
# kind: minimal
# about: compile
# decisive: lowered.compile({})
# expected: compile({}) is compile().
# happens: an empty dict is not None: the memo on the lowering is passed over and the executable cache is asked instead, which answers.
# source: jax/_src/interpreters/pxla.py: MeshComputation.compile
import jax
import jax.numpy as jnp
from jax import lax

def f(x):
    return lax.sin(x)

x = jnp.asarray([0.0, 1.0, 2.0])
lowered = call("jax.jit(f).lower(x)", lambda: jax.jit(f).lower(x))
call("lowered.compile()", lambda: lowered.compile())
call("lowered.compile({})", lambda: lowered.compile({}))
