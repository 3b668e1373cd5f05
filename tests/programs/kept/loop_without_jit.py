# Loops and branches under jax.disable_jit: they run in Python, one operation after the other.
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

xs = jnp.arange(3.0)
ran = []


def body(c, x):
    ran.append(type(c).__name__)
    return c + x, {"row": x * 2, "carry": c}


def count():
    note("bodies run", len(ran))
    ran.clear()


with jax.disable_jit():
    call("scan", lambda: lax.scan(body, 0.0, xs))
    count()
    call("scan again", lambda: lax.scan(body, 0.0, xs))
    count()
    call("scan reversed", lambda: lax.scan(body, 0.0, xs, reverse=True))
    call("scan without rows", lambda: lax.scan(lambda c, _: (c + 1, c), 0, None, length=3))
    call("scan of nothing", lambda: lax.scan(body, 0.0, xs[:0]))
    call("scan of numpy", lambda: lax.scan(body, np.float32(0), np.arange(3.0)))
    call("another carry is fine", lambda: lax.scan(lambda c, x: ((c, x), None), 0.0, xs[:2])[0])
    call("while", lambda: lax.while_loop(lambda c: c < 4, lambda c: c + 1, 0))
    call("while with a Python if", lambda: lax.while_loop(
        lambda c: True if c < 4 else False, lambda c: c + 1, 0))
    call("fori", lambda: lax.fori_loop(0, 3, lambda i, c: c * i, xs))
    call("fori, no turn", lambda: lax.fori_loop(3, 0, lambda i, c: c * i, xs))
    call("fori, array bound", lambda: lax.fori_loop(0, jnp.int32(2), lambda i, c: c + [5, 7][i], 0))
    call("map", lambda: lax.map(lambda x: x * x, xs))
    call("cond", lambda: lax.cond(True, lambda x: x + 1, lambda x: "never", xs))
    call("cond on an array", lambda: lax.cond(xs[0] > 0, lambda: 1, lambda: xs))
    call("switch", lambda: lax.switch(5, [lambda: 0, lambda: (1, 2)]))
    call("associative_scan", lambda: lax.associative_scan(jnp.add, xs))
    jitted = jax.jit(lambda xs: lax.scan(body, 0.0, xs)[0])
    call("jitted function", lambda: jitted(xs))
    count()

call("scan, jit again", lambda: lax.scan(body, 0.0, xs))
count()
call("scan, jit again, again", lambda: lax.scan(body, 0.0, xs))
count()
