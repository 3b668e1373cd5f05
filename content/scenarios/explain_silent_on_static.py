# title: No explanation for a static value
# kind: surprise
# about: trace
# decisive: power(x, n=3)
# expected: the explanation names the static value that changed.
# happens: jax_explain_cache_misses has no words for it: the explanation is unavailable.
# source: jax/_src/interpreters/partial_eval.py: explain
import jax
import jax.numpy as jnp

def power_of(x, n):
    return x ** n

power = jax.jit(power_of, static_argnames="n")
x = jnp.asarray([0.0, 1.0, 2.0])

call("power(x, n=2)", lambda: power(x, n=2))
call("power(x, n=3)", lambda: power(x, n=3))
