# title: A context nobody entered
# kind: surprise
# about: fast_path params trace lower hlo compile
# decisive: g(x) after make_user_context
# expected: creating a context without entering it changes nothing.
# happens: every key has one field more from now on, so no earlier key is equal to a new one: everything is traced and compiled again.
# source: jax/_src/config.py: make_user_context
import jax
import jax.numpy as jnp
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])

call("g(x)", lambda: g(x))
context = jax.make_user_context(0)
call("g(x) after make_user_context", lambda: g(x))
call("g(x) again", lambda: g(x))
