# A function that is renamed, or gets other code, after jit has looked at it.
import jax, jax.numpy as jnp
def f(x): return x + K
K = 1
g = jax.jit(f)
call("K=1", lambda: g(1.0))
K = 2
call("K=2", lambda: g(1.0))
f.__name__ = "renamed"
call("renamed", lambda: g(1.0))
call("renamed, new wrap", lambda: jax.jit(f)(1.0))
call("renamed, new shape", lambda: g(jnp.zeros(2)))
f.__code__ = (lambda x: x * 10).__code__
call("new code", lambda: g(1.0))
call("new code, new shape", lambda: g(jnp.zeros(3)))
f.__defaults__ = (4.0,)
call("defaults", lambda: g())
call("defaults again", lambda: g())
