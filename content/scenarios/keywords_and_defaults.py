# title: The same values, spelled otherwise
# kind: surprise
# about: fast_path params trace
# decisive: g(x=x, y=y)
# expected: by position or by keyword is the same call.
# happens: the names are part of the key: by keyword everything is compiled again; the order of keywords does not matter, and a default that is spelled out does.
# source: jax/_src/api_util.py: resolve_kwargs
import jax
import jax.numpy as jnp
from jax import lax

def f(x, y=2.0):
    return lax.sin(x) * y

g = jax.jit(f)
x, y = jnp.asarray([0.0, 1.0, 2.0]), jnp.float32(2)
call("g(x, y)", lambda: g(x, y))
call("g(x=x, y=y)", lambda: g(x=x, y=y))
call("g(y=y, x=x)", lambda: g(y=y, x=x))
call("g(x)", lambda: g(x))
call("g(x, 2.0)", lambda: g(x, 2.0))
