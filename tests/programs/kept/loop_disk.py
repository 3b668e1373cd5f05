# env: JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS=0
# processes: 2
# Loops in the persistent cache: what of a loop is in the key.
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"] + "/cache")
xs = jnp.asarray(np.arange(6, dtype=np.float32))


def loop(**options):
    @jax.jit
    def f(xs):
        return lax.scan(lambda c, x: (c + x, c * x), 0.0, xs, **options)
    return f


call("scan", lambda: loop()(xs))
call("the same again, new function", lambda: loop()(xs))
call("unroll=2", lambda: loop(unroll=2)(xs))
call("unroll=6", lambda: loop(unroll=6)(xs))
call("unroll=True", lambda: loop(unroll=True)(xs))
call("unroll=0", lambda: loop(unroll=0)(xs))
call("unroll=4, two left over", lambda: loop(unroll=4)(xs))
call("reverse", lambda: loop(reverse=True)(xs))
call("length said", lambda: loop(length=6)(xs))
call("shorter", lambda: loop()(xs[:5]))


def named(body):
    @jax.jit
    def f(xs):
        return lax.scan(body, 0.0, xs)
    return f


def add(c, x):
    return c + x, c * x


def other_name(carry, row):
    return carry + row, carry * row


def with_row(c, x):
    return c + x, (c * x, x)


def unused(c, x):
    y = jnp.sin(x)
    del y
    return c + x, c * x


call("named body", lambda: named(add)(xs))
call("another name", lambda: named(other_name)(xs))
call("hands the row on", lambda: named(with_row)(xs))
call("computes too much", lambda: named(unused)(xs))

for value in (1.0, 2.0):
    call(f"constant {value}", lambda: named(lambda c, x: (c + value * x, None))(xs))
weights = jnp.ones(3), jnp.full(3, 2.0)
for k, w in enumerate(weights):
    call(f"array {k}", lambda: named(lambda c, x: (c + (x * w).sum(), None))(xs))


def bounded(n, **options):
    return jax.jit(lambda x: lax.fori_loop(0, n, lambda i, c: c * x + i, 1.0, **options))


call("fori", lambda: bounded(3)(2.0))
call("fori, another bound", lambda: bounded(4)(2.0))
call("fori, same bound", lambda: bounded(3)(2.0))
until = jax.jit(lambda x, n: lax.while_loop(lambda c: c < n, lambda c: c * x, 1.0))
call("while", lambda: until(2.0, 9.0))
jax.clear_caches()
call("while, memory cleared", lambda: until(2.0, 9.0))
either = jax.jit(lambda p, x: lax.cond(p, lambda x: x + 1, lambda x: x * 2, x))
call("cond", lambda: either(True, 1.0))
swapped = jax.jit(lambda p, x: lax.cond(p, lambda x: x * 2, lambda x: x + 1, x))
call("cond swapped", lambda: swapped(True, 1.0))


def body(c, x):
    return c + x, None


call("eager scan", lambda: lax.scan(body, 0.0, xs)[0])
call("eager scan of a lambda", lambda: lax.scan(lambda c, x: (c + x, None), 0.0, xs)[0])
call("eager cond", lambda: lax.cond(True, lambda: xs, lambda: xs + 1))
