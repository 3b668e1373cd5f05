# No marks: every outermost call of a jitted function becomes a call.
from concurrent.futures import ThreadPoolExecutor

import jax
import numpy as np
from jax import lax


@jax.jit
def f(x):
    return lax.sin(x)


x = jax.device_put(np.arange(3, dtype="float32"))
for i in range(3):
    y = f(x)
z, w = lax.sin(x), lax.sin(lax.sin(y))
lowered = f.lower(x)
compiled = lowered.compile()
print(compiled(x))
jax.eval_shape(f, x)
jax.make_jaxpr(f)(x)


def helper(v):
    return f(
        v)


helper(x)
try:
    f("no array")
except TypeError:
    pass


@jax.jit
def fails(x):
    return 1 / 0


try:
    fails(x)
except ZeroDivisionError:
    pass
with jax.disable_jit():
    f(x)
f.trace(x).lower().compile()
jax.debug.print("{}", x)
with ThreadPoolExecutor(1) as pool:
    print(pool.submit(lambda: f(x)).result())


@jax.jit
def g(x):
    jax.debug.callback(lambda v: f(v), x)
    return f(x)


g(x)
f.clear_cache()
g(x), f(x)
again = [f(x) for _ in range(2)]
jax.clear_caches()
f(x)
with jax.debug_key_reuse(True):
    f(x)
    lax.sin(x)
