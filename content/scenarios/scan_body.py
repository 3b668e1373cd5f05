# title: The body of a loop
# kind: surprise
# about: trace prim
# decisive: a body defined in the call, again
# expected: a loop over the same array with the same body is compiled once.
# happens: the body is a key; defined within the call it is new each time, and the loop is traced, lowered and compiled again.
# source: jax/_src/lax/control_flow/loops.py: scan
import jax.numpy as jnp
from jax import lax

xs = jnp.asarray([0.0, 1.0, 2.0])

def running_sum():
    def body(total, x):
        return total + x, total
    return lax.scan(body, 0.0, xs)[0]

def body(total, x):
    return total + x, total

call("a body defined in the call", running_sum)
call("a body defined in the call, again", running_sum)
call("a body defined once", lambda: lax.scan(body, 0.0, xs)[0])
call("a body defined once, again", lambda: lax.scan(body, 0.0, xs)[0])
