# title: One loop, three ways
# kind: surprise
# about: fast_path trace
# decisive: lambda, third time
# expected: jax.jit in a loop finds what it compiled the time before.
# happens: a lambda or a partial made in the loop is another function every time, so each of them is traced and compiled; the function made outside is found.
# source: jax/_src/pjit.py: _infer_params_cached
from functools import partial
import jax
import jax.numpy as jnp

def power(x, n):
    return x ** n

x = jnp.asarray([0.0, 1.0, 2.0])
hoisted = jax.jit(power, static_argnames="n")
for count in ("first", "second", "third"):
    call(f"lambda, {count} time", lambda: jax.jit(lambda x: power(x, 2))(x))
for count in ("first", "second", "third"):
    call(f"partial, {count} time", lambda: jax.jit(partial(power, n=2))(x))
for count in ("first", "second", "third"):
    call(f"made outside, {count} time", lambda: hoisted(x, n=2))
