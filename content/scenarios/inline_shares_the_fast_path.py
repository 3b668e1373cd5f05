# title: Options the fast path cannot see
# kind: surprise
# about: fast_path
# decisive: jax.jit(f, keep_unused=True)(x)
# expected: a wrapper with other options has its own compiled program.
# happens: inline and keep_unused are not in the C++ key: both wrappers are answered with what the plain one compiled.
# source: jax/_src/interpreters/pxla.py: JitGlobalCppCacheKeys
import jax
import jax.numpy as jnp
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])

call("g(x)", lambda: g(x))
call("jax.jit(f, inline=True)(x)", lambda: jax.jit(f, inline=True)(x))
call("jax.jit(f, keep_unused=True)(x)", lambda: jax.jit(f, keep_unused=True)(x))
