# title: A tracer from an earlier trace
# kind: surprise
# about: params
# decisive: outer(four)
# expected: every trace of the outer function runs the inner one afresh.
# happens: the inner call is found in the params cache, with a value it took from the first outer trace; in the second one that value has escaped, and the call raises.
# source: jax/_src/pjit.py: _infer_params_cached
import jax
import jax.numpy as jnp

held = {}

@jax.jit
def inner(y):
    return y + jnp.sum(held["x"])

@jax.jit
def outer(x):
    held["x"] = x
    return inner(1.0)

three, four = jnp.zeros(3), jnp.zeros(4)
call("outer(three)", lambda: outer(three))
call("outer(four)", lambda: outer(four))
