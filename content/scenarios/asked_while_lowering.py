# title: A loop is taken apart
# kind: surprise
# about: trace lower
# decisive: total(xs)
# expected: when tracing is done, no cache above lowering is asked any more.
# happens: lowering writes a scan as a plainer loop first, and traces it: tracing is asked three times more, and three small functions in it ask params and tracing.
# source: jax/_src/lax/control_flow/loops.py: _scan_impl; jax/_src/interpreters/mlir.py: lower_fun
import jax
import jax.numpy as jnp
from jax import lax

runs = {"body": 0}

def body(carry, x):
    runs["body"] += 1
    return lax.add(carry, x), carry

def from_zero(carry, x):
    runs["body"] += 1
    return carry + x, carry

@jax.jit
def total(xs):
    return lax.scan(body, 0.0, xs)[0]

@jax.jit
def other(xs):
    return lax.scan(body, 0.0, xs)[0]

@jax.jit
def whole(xs):
    return lax.scan(from_zero, 0, xs)[0]

@jax.jit
def noise(key):
    return jax.random.normal(key, (3,))

xs, key = jnp.asarray([0.0, 1.0, 2.0]), jax.random.key(0)

call("total.trace(xs)", lambda: total.trace(xs))
call("total(xs)", lambda: total(xs))
call("other(xs)", lambda: other(xs))
note("times a body ran", runs["body"])
call("whole(xs)", lambda: whole(xs))
note("times a body ran, with a carry that changes its type", runs["body"])
call("noise.trace(key)", lambda: noise.trace(key))
call("noise(key)", lambda: noise(key))
