# title: What a stopwatch holds
# kind: story
# about: fast_path
# decisive: timed: g(xn)
# expected: after one call to warm up, only hits are timed.
# happens: a call that differs in kind from the one that warmed up enters Python, or compiles, and that is timed with it.
# source: jax/_src/pjit.py: _cpp_pjit
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.zeros(3)
xn = np.zeros(3, np.float32)
call("warming up: g(x)", lambda: g(x))
call("timed: g(x)", lambda: g(x).block_until_ready())
call("timed: g(xn)", lambda: g(xn).block_until_ready())
call("timed: g(longer)", lambda: g(np.zeros(4, np.float32)).block_until_ready())
