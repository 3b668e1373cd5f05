# title: Nothing, and None
# kind: surprise
# about: fast_path trace
# decisive: jax.jit(f, in_shardings=None)(x)
# expected: an option set to its default value is no option.
# happens: donation by number and by name come to the same entry; in_shardings=None differs from leaving it out: C++ and params miss, the trace and the lowering are found.
# source: jax/_src/interpreters/pxla.py: JitGlobalCppCacheKeys
import jax
import jax.numpy as jnp
from jax import lax

def f(x):
    return lax.sin(x)

x = jnp.asarray([0.0, 1.0, 2.0])
y, z = jnp.zeros(3), jnp.zeros(3)
call("jax.jit(f)(x)", lambda: jax.jit(f)(x))
call("jax.jit(f, in_shardings=None)(x)", lambda: jax.jit(f, in_shardings=None)(x))
call("jax.jit(f, donate_argnums=0)(y)", lambda: jax.jit(f, donate_argnums=0)(y))
call("jax.jit(f, donate_argnames='x')(z)", lambda: jax.jit(f, donate_argnames="x")(z))
