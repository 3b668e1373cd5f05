# shows: pure_callback, then the same call under no_tracing.
# source: https://github.com/jax-ml/jax/issues/31319
import jax, jax.numpy as jnp
@jax.jit
def f(x): return jax.pure_callback(lambda v: v, x, x)
x = jnp.arange(5.)
call("first", lambda: f(x))
def again():
    with jax.no_tracing(True): return f(x)
call("no tracing", again)
call("after", lambda: f(x))
