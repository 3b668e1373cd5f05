# title: Accused after a clearing
# kind: surprise
# about: trace
# decisive: g(x), second round
# expected: after jax.clear_caches() the explanation speaks of cleared caches.
# happens: the function was not made again, but its own first miss at the same line is taken for another function's: it is accused of being redefined repeatedly.
# source: jax/_src/interpreters/partial_eval.py: explain
import jax
import jax.numpy as jnp
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])

for number in ("first", "second"):
    call(f"g(x), {number} round", lambda: g(x))
    jax.clear_caches()
