# title: Compile a lowering twice
# kind: minimal
# about: memo
# decisive: lowered.compile() again
# expected: compiling the same lowering twice compiles twice, or asks the executable cache.
# happens: the lowering remembers its executable in an attribute without any key; no cache is asked.
# source: jax/_src/interpreters/pxla.py: MeshComputation.compile
import jax
import jax.numpy as jnp
from jax import lax

def f(x):
    return lax.sin(x)

x = jnp.asarray([0.0, 1.0, 2.0])
lowered = call("jax.jit(f).lower(x)", lambda: jax.jit(f).lower(x))
call("lowered.compile()", lambda: lowered.compile())
call("lowered.compile() again", lambda: lowered.compile())
