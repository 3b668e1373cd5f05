# What nobody looks at: results, carries and operands of loops that a program drops.
import jax
import jax.numpy as jnp
from jax import lax

xs = jnp.arange(4.0)
ys = jnp.ones((4, 2))


def two(c, row):
    x, y = row
    a, b = c
    return (a + x, b + y.sum()), (a * x, y * 2)


def shown(label, f, *args):
    jitted = jax.jit(f)
    call(label, lambda: jitted(*args))
    call(label + " again", lambda: jitted(*args))
    note(label + ", jaxpr", str(jax.make_jaxpr(f)(*args)))


shown("everything", lambda x, y: lax.scan(two, (0.0, 0.0), (x, y)), xs, ys)
shown("first carry", lambda x, y: lax.scan(two, (0.0, 0.0), (x, y))[0][0], xs, ys)
shown("second rows", lambda x, y: lax.scan(two, (0.0, 0.0), (x, y))[1][1], xs, ys)
shown("nothing", lambda x, y: (lax.scan(two, (0.0, 0.0), (x, y)), x.sum())[1], xs, ys)
shown("one carry needs the other", lambda x: lax.scan(
    lambda c, x: ((c[0] + c[1], c[1] + x, c[2] * 2), None), (0.0, 0.0, 1.0), x)[0][0], xs)
shown("counter only", lambda x: lax.fori_loop(0, 3, lambda i, c: (c[0] + i, c[1] * x), (0, x))[0], xs)
shown("while, one result", lambda x: lax.while_loop(
    lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * x, c[2] + 1), (0, x, x))[1], xs)
shown("while, nothing", lambda x: (lax.while_loop(lambda c: c < 3, lambda c: c + x[0] + 1, 0.0), x)[1], xs)
shown("cond, one result", lambda p, x, y: lax.cond(
    p, lambda x, y: (x, y + 1), lambda x, y: (x * 2, y), x, y)[0], True, xs, ys)
shown("cond, nothing", lambda p, x: (lax.cond(p, lambda: x, lambda: x + 1), p)[1], True, xs)
shown("nested, one result", lambda x: lax.scan(
    lambda c, x: (lax.scan(lambda d, z: ((d[0] + z, d[1] * z), z), (c, c), xs)[0][0], x), 0.0, x)[0], xs)
shown("jit inside, one result", lambda x: lax.scan(
    jax.jit(lambda c, x: (c + x, (x * 2, x * 3))), 0.0, x)[1][0], xs)
shown("carry handed on, unused", lambda x: lax.scan(
    lambda c, x: ((c[0] + x, c[1]), c[1][0]), (0.0, xs), x)[0][0], xs)
