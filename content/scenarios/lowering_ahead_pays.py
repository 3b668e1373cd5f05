# title: Lowering ahead pays
# kind: surprise
# about: params lower memo
# decisive: g(x)
# expected: compiling ahead of time, without data, is separate from the call.
# happens: the shape alone fills params, trace, lowering and executable; the call misses in C++ and finds everything else.
# source: jax/_src/pjit.py: jit_trace
import jax
import jax.numpy as jnp
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
shape = jax.ShapeDtypeStruct((3,), jnp.float32)
x = jnp.asarray([0.0, 1.0, 2.0])

compiled = call("g.lower(shape).compile()", lambda: g.lower(shape).compile())
call("g(x)", lambda: g(x))
call("compiled(x)", lambda: compiled(x))
