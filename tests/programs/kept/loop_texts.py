# What loops and branches look like in a jaxpr: every form, its constants, what is handed on.
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

x = jnp.arange(3.0)
n = np.arange(3.0, dtype=np.float32)
w = jnp.ones((3, 3))


def text(label, function, *args):
    try:
        note(label, str(jax.make_jaxpr(function)(*args)))
    except Exception as error:
        note(label, f"{type(error).__name__}: {error}")


text("carry and rows", lambda x: lax.scan(lambda c, y: (c + y, c), 0.0, x), x)
text("rows handed on", lambda x: lax.scan(lambda c, y: (c + y, y), 0.0, x), x)
text("carry handed on", lambda x: lax.scan(lambda c, y: ((c[0] + y, c[1]), y), (0.0, x), x), x)
text("carry handed on, rows kept",
     lambda x: lax.scan(lambda c, y: ((c[0], c[1] * y), (y, c[0] + 1)), (x, 1.0), x), x)
text("carry handed on, with constants",
     lambda x: lax.scan(lambda c, y: ((c[0], c[1] * x + w[0]), y), (1, x), x), x)
text("while, carry handed on, with constants", lambda x: lax.while_loop(
    lambda c: c[1].sum() < x[0], lambda c: (c[0], c[1] * x + w[0]), (1, x)), x)
text("rows swapped", lambda x: lax.scan(lambda c, y: (c, (y[1], y[0])), 0, (x, x + 1)), x)
text("carry swapped", lambda x: lax.scan(lambda c, y: ((c[1], c[0]), None), (x, x), x), x)
text("reverse and unroll",
     lambda x: lax.scan(lambda c, y: (c + y, c), 0.0, x, reverse=True, unroll=2), x)
text("unroll all", lambda x: lax.scan(lambda c, y: (c + y, c), 0.0, x, unroll=True), x)
text("unroll none", lambda x: lax.scan(lambda c, y: (c + y, c), 0.0, x, unroll=False), x)
text("unroll zero", lambda x: lax.scan(lambda c, y: (c + y, c), 0.0, x, unroll=0), x)
text("dict of rows", lambda x: lax.scan(
    lambda c, y: (c + y["a"], {"z": y["b"], "y": c}), 0.0, {"b": x, "a": x}), x)
text("no rows", lambda: lax.scan(lambda c, _: (c + 1, None), 0, None, length=4))
text("no rows, with length and result", lambda: lax.scan(lambda c, _: (c + 1, c), 0, length=2))
text("no carry", lambda x: lax.scan(lambda _, y: (None, y * 2), None, x), x)
text("empty", lambda x: lax.scan(lambda c, y: (c + y, y), 0.0, x[:0]), x)
text("closed over arrays", lambda x: lax.scan(lambda c, y: (w @ c, y), x, x), x)
text("closed over a tracer", lambda x: lax.scan(lambda c, y: (c + x.sum(), y * c), 0.0, x), x)
text("closed over numpy", lambda x: lax.scan(lambda c, y: (c + n, y), x, x), x)
text("closed over a tracer and an array",
     lambda x: lax.scan(lambda c, y: (c * x + w[0], None), n, None, length=2), x)
text("weak carry becomes strong", lambda x: lax.scan(lambda c, y: (c + y, None), 0, x), x)
text("weak carry of another kind", lambda x: lax.scan(lambda c, y: (c * 1.5, c), 1, x), x)
text("strong carry stays", lambda x: lax.scan(
    lambda c, y: (c + 1, None), np.int32(0), x), x)
text("bool carry", lambda x: lax.scan(lambda c, y: (~c, c), True, x), x)
text("nested", lambda x: lax.scan(
    lambda c, y: (lax.scan(lambda d, z: (d + z * y, None), c, x)[0], None), 0.0, x), x)
text("jit inside", lambda x: lax.scan(
    jax.jit(lambda c, y: (jnp.where(c > 1, c, y), jax.nn.relu(c))), 0.0, x), x)
text("numpy rows", lambda: lax.scan(lambda c, y: (c + y, y), 0.0, n))
text("random keys", lambda k: lax.scan(
    lambda c, k: (c + jax.random.uniform(k), None), 0.0, jax.random.split(k, 3)),
    jax.random.key(0))

text("while", lambda x: lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * x), (0, x)), x)
text("while, a constant of the body",
     lambda x: lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + c[1], c[1]), (0, 2)), x)
text("while, a constant that the condition sees",
     lambda x: lax.while_loop(lambda c: c[0] < c[1], lambda c: (c[0] + 1, c[1]), (0, 2)), x)
text("while over one value", lambda x: lax.while_loop(lambda c: c.sum() < 9, lambda c: c * 2, x), x)
text("while with constants", lambda x: lax.while_loop(
    lambda c: (c < x).all(), lambda c: c + w[0] + x[0], n), x)
text("while, nothing carried that matters",
     lambda x: lax.while_loop(lambda c: c["i"] < 3, lambda c: {"i": c["i"] + 1, "x": c["x"]},
                              {"i": 0, "x": x}), x)
text("while, weak becomes strong", lambda x: lax.while_loop(
    lambda c: c < 3, lambda c: c + x[0], 0), x)

text("fori", lambda x: lax.fori_loop(0, 3, lambda i, c: c * i, x), x)
text("fori, negative", lambda x: lax.fori_loop(3, 0, lambda i, c: c * i, x), x)
text("fori over a tuple", lambda x: lax.fori_loop(
    0, 3, lambda i, c: (c[1], c[0].at[i].set(0.0)), (x, x)), x)
text("fori, traced bound", lambda x, n: lax.fori_loop(0, n, lambda i, c: c * i, x), x, 3)
text("fori, typed bound", lambda x, n: lax.fori_loop(0, n, lambda i, c: c + x[i], 0.0), x, np.int16(3))
text("fori, unrolled", lambda x: lax.fori_loop(0, 3, lambda i, c: c + x, x, unroll=2), x)

text("map", lambda x: lax.map(lambda y: y + 1, x), x)
text("map over a pair", lambda x: lax.map(lambda p: {"s": p[0] + p[1], "p": p[0]}, (x, x)), x)

text("cond", lambda x: lax.cond(x[0] > 0, lambda x: x + 1, lambda x: x * 2, x), x)
text("cond hands on", lambda x: lax.cond(x[0] > 0, lambda x: (x, x + 1), lambda x: (x, x * 2), x), x)
text("cond hands on different things", lambda x: lax.cond(
    x[0] > 0, lambda a, b: (a, b), lambda a, b: (b, b), x, x + 1), x)
text("cond with operand", lambda x: lax.cond(
    True, lambda _: 1.0, lambda _: 2.0, operand=None), x)
text("cond on a number", lambda x: lax.cond(x[0], lambda: 1, lambda: 2), x)
text("cond on an int", lambda i: lax.cond(i, lambda: 1.0, lambda: x[0]), 3)
text("cond, shared constants", lambda x: lax.cond(
    x.sum() > 0, lambda y: y + w[0] + x, lambda y: y * x + w[1], x), x)
text("cond, one constant each", lambda y: lax.cond(
    y > 0, lambda: x + y, lambda: jnp.asarray(n) - y), 1.0)
text("cond, old form", lambda p: lax.cond(p > 0, 1.0, lambda a: a + 1, x, lambda b: b.sum()), 1.0)
text("cond of trees", lambda p: lax.cond(
    p > 0, lambda d: {"a": d["x"], "b": (1, 2.0)}, lambda d: {"a": d["y"], "b": (3, 4.0)},
    {"x": x, "y": x}), 1.0)
text("cond, weak and strong", lambda p: lax.cond(p > 0, lambda: 1.0, lambda: x[0]), 1.0)
text("cond, constants out", lambda p: lax.cond(p > 0, lambda: w, lambda: w * 2), 1.0)
text("cond, the same constant out", lambda p: lax.cond(p > 0, lambda: w, lambda: w), 1.0)
text("nested cond", lambda p, q: lax.cond(
    p > 0, lambda: lax.cond(q > 0, lambda: 1, lambda: 2), lambda: 3), 1.0, 2.0)
text("scan of cond", lambda x: lax.scan(
    lambda c, y: (lax.cond(y > 1, lambda c: c + y, lambda c: c, c), None), 0.0, x), x)

text("switch", lambda i, x: lax.switch(
    i, [lambda x: x + 1, lambda x: x * 2, jnp.sin], x), 1, x)
text("switch of one", lambda i, x: lax.switch(i, [lambda x: x + 1], x), 1, x)
text("switch of constants", lambda i: lax.switch(i, [lambda: 1.0, lambda: 2.0]), np.uint8(1))
text("switch, constants of branches", lambda i, x: lax.switch(
    i, (lambda: x, lambda: x * w[0], lambda: jnp.asarray(n))), 1, x)
text("switch hands on", lambda i, x: lax.switch(
    i, [lambda a, b: (a, b)] * 2 + [lambda a, b: (a, a)], x, x + 1), 1, x)

text("associative_scan", lambda x: lax.associative_scan(jnp.add, x), jnp.arange(5.0))
text("associative_scan reversed", lambda x: lax.associative_scan(
    lambda a, b: (a[0] * b[0], a[1] + b[1]), (x, x), reverse=True), jnp.arange(4.0))
text("associative_scan of rows", lambda x: lax.associative_scan(
    jnp.logical_or, x, axis=1), jnp.ones((2, 3), bool))
text("select", lambda x: jnp.select([x < 0, x > 1], [x, x * 2], 7), x)
