# title: A function that calls itself
# kind: surprise
# about: params trace
# decisive: endless(x)
# expected: a jitted function may call itself, as any function may.
# happens: with the same types it finds its own unfinished trace, and raises; with another static value it is traced once for each, inside of the first.
# source: jax/_src/interpreters/partial_eval.py: trace_to_jaxpr
from functools import partial
import jax
import jax.numpy as jnp
from jax import lax

@jax.jit
def endless(x):
    return endless(x)

@partial(jax.jit, static_argnums=1)
def power(x, n):
    return x if n == 1 else lax.mul(x, power(x, n - 1))

x = jnp.asarray([0.0, 1.0, 2.0])
call("endless(x)", lambda: endless(x))
call("power(x, 3)", lambda: power(x, 3))
call("power(x, 4)", lambda: power(x, 4))
