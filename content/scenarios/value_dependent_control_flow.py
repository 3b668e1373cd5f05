# title: Questions without an answer yet
# kind: surprise
# about: trace
# decisive: positive_only(x)
# expected: what works without jit works with it.
# happens: a branch asks for a value and a mask for a shape, and under a tracer there are neither; the trace raises. jnp.where keeps the shape and asks nothing.
# source: jax/_src/errors.py: TracerBoolConversionError; jax/_src/errors.py: NonConcreteBooleanIndexError
import jax
import jax.numpy as jnp

@jax.jit
def branch(x):
    return x if x[0] > 0 else -x

@jax.jit
def positive_only(x):
    return x[x > 0]

@jax.jit
def masked(x):
    return jnp.where(x > 0, x, 0)

x = jnp.asarray([-1.0, 1.0, 2.0])
call("branch(x)", lambda: branch(x))
call("positive_only(x)", lambda: positive_only(x))
call("masked(x)", lambda: masked(x))
