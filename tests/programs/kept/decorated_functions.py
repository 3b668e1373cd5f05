# shows: Wrappers around jitted functions and jitted wrappers.
import jax, jax.numpy as jnp, time, functools
def timed(fn):
    @functools.wraps(fn)
    def wrapper(*a, **k):
        t = time.perf_counter(); r = jax.block_until_ready(fn(*a, **k)); time.perf_counter() - t
        return r
    return wrapper
def counted(fn):
    n = 0
    @functools.wraps(fn)
    def inner(*a):
        nonlocal n
        n += 1
        return fn(*a)
    inner.count = lambda: n
    return inner
@timed
@jax.jit
@counted
def f(x): return jnp.sin(x) * jnp.cos(x)
f(jnp.ones(3)); f(jnp.ones(3)); f(1.0); f(2)
print(f.__name__, f.count() if hasattr(f, "count") else "none")
g = jax.jit(counted(lambda x: x))
g(1); g(1); print(g.__wrapped__.count())
print(g.__name__, jax.jit(functools.partial(lambda a, b: a, 1)))
