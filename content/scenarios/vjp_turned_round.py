# title: A backward program, turned round
# kind: surprise
# about: trace lower compile
# decisive: backward(one)
# expected: the function that vjp returns was traced when vjp ran, so it is only compiled.
# happens: its first use traces once more, to turn the program round; the Python of the function does not run again, and later uses are answered by C++.
# source: jax/_src/pjit.py: _pjit_transpose_fancy
import jax
import jax.numpy as jnp
from jax import lax

runs = []

@jax.jit
def g(x):
    runs.append(1)
    return lax.sin(x)

one = jnp.float32(1.0)
call("jax.vjp(g, one)", lambda: jax.vjp(g, one)[0])
call("jax.vjp(g, one) again", lambda: jax.vjp(g, one)[0])
result, backward = jax.vjp(g, one)
call("backward(one)", lambda: backward(one))
note("times the body ran", len(runs))
call("backward(one) again", lambda: backward(one))

kept = jax.checkpoint(jax.jit(lambda x: lax.cos(x)))
call("jax.vjp(kept, one)", lambda: jax.vjp(kept, one)[0])
call("jax.vjp(kept, one) again", lambda: jax.vjp(kept, one)[0])
