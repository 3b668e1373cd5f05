# title: A compiler flag that does not compile
# kind: surprise
# about: fast_path memo
# decisive: g(x) at O1
# expected: another optimization level compiles again.
# happens: the level is in the C++ key only: C++ misses, every Python cache below answers, and the old executable is kept.
# source: jax/_src/config.py: optimization_level
import jax
import jax.numpy as jnp
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])

call("g(x)", lambda: g(x))
jax.config.update("jax_optimization_level", "O1")
call("g(x) at O1", lambda: g(x))
call("jax.jit(f)(x) at O1", lambda: jax.jit(f)(x))
g.clear_cache()
call("g(x) after g.clear_cache()", lambda: g(x))
