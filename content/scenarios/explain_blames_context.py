# title: The wrong thing is blamed
# kind: surprise
# about: trace
# decisive: power(seven, n=2)
# expected: the explanation names what changed between this call and the one before it.
# happens: only the shape is new, but an earlier call in another context counts as the closest one, and the context, long left, is blamed.
# source: jax/_src/interpreters/partial_eval.py: explain
import jax
import jax.numpy as jnp

def power_of(x, n):
    return x ** n

power = jax.jit(power_of, static_argnames="n")
x = jnp.asarray([0.0, 1.0, 2.0])
seven = jnp.zeros(7)
call("power(x, n=2)", lambda: power(x, n=2))
with jax.default_matmul_precision("highest"):
    call("power(x, n=2) at highest precision", lambda: power(x, n=2))
call("power(seven, n=2)", lambda: power(seven, n=2))
