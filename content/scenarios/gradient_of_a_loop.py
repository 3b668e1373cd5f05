# title: The gradient of a loop
# kind: surprise
# about: trace params
# decisive: jax.grad(total)(one) again
# expected: a gradient taken a second time finds all that the first one left.
# happens: outside of jit the way forth of the loop is a new operation in each round, and is compiled each time; the way back is found. Under a jit that is kept, C++ answers.
# source: jax/_src/lax/control_flow/loops.py: _scan_linearize
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

xs, one = jax.device_put(np.arange(3, dtype=np.float32)), jax.device_put(np.float32(1))

def body(carry, x):
    return jnp.sin(carry) * x, carry

def total(carry):
    return lax.scan(body, carry, xs)[0]

call("jax.grad(total)(one)", lambda: jax.grad(total)(one))
call("jax.grad(total)(one) again", lambda: jax.grad(total)(one))
kept = jax.jit(jax.grad(total))
call("kept(one)", lambda: kept(one))
call("kept(one) again", lambda: kept(one))
inside = jax.jit(total)
call("jax.grad(inside)(one)", lambda: jax.grad(inside)(one))
call("jax.grad(inside)(one) again", lambda: jax.grad(inside)(one))
