# title: Options that are the same
# kind: surprise
# about: fast_path params lower
# decisive: by_name(b)
# expected: a wrapper that names its options in another way has entries of its own.
# happens: donation by number and by name is one key, so C++ answers; shardings given as None are another key than none given, and the program is found further down.
# source: jax/_src/interpreters/pxla.py: JitGlobalCppCacheKeys
import jax
import jax.numpy as jnp
from jax import lax

def f(x):
    return lax.sin(x)

by_number = jax.jit(f, donate_argnums=0)
by_name = jax.jit(f, donate_argnames="x")
plain = jax.jit(f)
unspecified = jax.jit(f, in_shardings=None)
a, b, c, d = (jnp.ones(3) for _ in range(4))
call("by_number(a)", lambda: by_number(a))
call("by_name(b)", lambda: by_name(b))
call("plain(c)", lambda: plain(c))
call("unspecified(d)", lambda: unspecified(d))
