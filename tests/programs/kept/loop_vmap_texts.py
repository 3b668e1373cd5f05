# What jax.vmap makes of loops and branches, as a jaxpr.
import jax
import jax.numpy as jnp
from jax import lax

x = jnp.arange(3.0)
m = jnp.arange(6.0).reshape(2, 3)
flags = jnp.array([True, False])
ids = jnp.array([0, 2])


def text(label, function, *args):
    try:
        note(label, str(jax.make_jaxpr(function)(*args)))
    except Exception as error:
        note(label, f"{type(error).__name__}: {error}")


def total(xs):
    return lax.scan(lambda c, x: (c + x, c * 2), 0.0, xs)


text("rows mapped", jax.vmap(total), m)
text("rows mapped along 1", jax.vmap(total, in_axes=1), m)
text("results along 1", jax.vmap(total, in_axes=1, out_axes=1), m)
text("carry mapped", jax.vmap(lambda c: lax.scan(lambda c, x: (c + x, x), c, x)), x)
text("constants mapped", jax.vmap(lambda k: lax.scan(lambda c, x: (c + k * x, x), 0.0, x)), x)
text("constants mapped, rows not used", jax.vmap(
    lambda k: lax.scan(lambda c, x: (c, x + k), 0.0, x)), x)
text("one carry of two", jax.vmap(lambda k: lax.scan(
    lambda c, x: ((c[0] + 1, c[1] + k), c[0]), (0, 0.0), x)), x)
text("carry infects the other", jax.vmap(lambda k: lax.scan(
    lambda c, x: ((c[1], c[2], c[2] + k), None), (0.0, 0.0, 0.0), x)), x)
text("matrix carry along 1", jax.vmap(
    lambda c: lax.scan(lambda c, x: (c * x, c), c, x), in_axes=1), m)
text("two maps", jax.vmap(jax.vmap(total)), m[None])
text("map of rows", lambda m: lax.map(jnp.sum, m), m)
text("nothing mapped", jax.vmap(lambda y: (lax.scan(lambda c, x: (c + x, None), 0.0, x)[0], y)), x)
text("fori", jax.vmap(lambda x: lax.fori_loop(0, 3, lambda i, c: c * i, x)), x)
text("fori to a mapped bound", jax.vmap(
    lambda n, x: lax.fori_loop(0, n, lambda i, c: c + i * x, 0.0)), jnp.arange(3), x)
text("fori to a fixed traced bound", jax.vmap(
    lambda n, x: lax.fori_loop(0, n, lambda i, c: c + i * x, 0.0), in_axes=(None, 0)), 3, x)

text("while, condition mapped", jax.vmap(
    lambda x: lax.while_loop(lambda c: c < 5, lambda c: c * 2 + 1, x)), x)
text("while, condition mapped, a pair", jax.vmap(lambda x: lax.while_loop(
    lambda c: c[0] < 5, lambda c: (c[0] * 2 + 1, c[1] + 1), (x, 0))), x)
text("while, body mapped", jax.vmap(lambda x: lax.while_loop(
    lambda c: c[0] < 5, lambda c: (c[0] + 1, c[1] * x), (0, 1.0))), x)
text("while, constant of the condition mapped", jax.vmap(lambda x: lax.while_loop(
    lambda c: c < x, lambda c: c + 1, 0.0)), x)
text("while over rows", jax.vmap(lambda r: lax.while_loop(
    lambda c: c.sum() < 100, lambda c: c * 2 + 1, r), in_axes=1), m)
text("while, two maps", jax.vmap(jax.vmap(
    lambda x: lax.while_loop(lambda c: c < 5, lambda c: c * 2 + 1, x))), m)
text("while, two maps, one each", jax.vmap(jax.vmap(
    lambda x, y: lax.while_loop(lambda c: c[0] < x, lambda c: (c[0] + 1, c[1] + y), (0.0, 0.0)),
    in_axes=(0, None)), in_axes=(None, 0)), x, x)

text("cond, operand mapped", lambda p, x: jax.vmap(
    lambda x: lax.cond(p, lambda x: x + 1, lambda x: x * 2, x))(x), True, x)
text("cond, one result mapped", lambda p, x: jax.vmap(
    lambda x: lax.cond(p, lambda x: (x + 1, 3), lambda x: (x * 2, 4), x))(x), True, x)
text("cond, one branch mapped", lambda p, x: jax.vmap(
    lambda x: lax.cond(p, lambda: x + 1, lambda: 2.0))(x), True, x)
text("cond, predicate mapped", jax.vmap(
    lambda p, x: lax.cond(p, lambda x: x + 1, lambda x: x * 2, x)), flags, x[:2])
text("cond, only the predicate mapped", jax.vmap(
    lambda p: lax.cond(p, lambda: x + 1, lambda: x * 2)), flags)
text("cond, predicate mapped, rows", jax.vmap(
    lambda p, r: lax.cond(p, jnp.sum, lambda r: r[0], r)), flags, m)
text("cond of trees", jax.vmap(lambda p, r: lax.cond(
    p, lambda d: {"a": d["a"] + 1, "b": 0}, lambda d: {"a": d["a"], "b": 1}, {"a": r})), flags, m)
text("switch mapped", jax.vmap(lambda i, r: lax.switch(
    i, [lambda r: r, lambda r: r + 1, jnp.sin], r)), ids, m)
text("switch, operand mapped", lambda i, m: jax.vmap(lambda r: lax.switch(
    i, [lambda r: r, lambda r: r + 1, jnp.sin], r))(m), 1, m)
text("cond in scan", jax.vmap(lambda x: lax.scan(
    lambda c, y: (lax.cond(y > x, lambda: c + y, lambda: c), None), 0.0, m[0])[0]), x)
text("scan in cond", jax.vmap(lambda p, x: lax.cond(
    p, lambda x: total(x)[0], lambda x: x.sum(), x)), flags, m)
text("jit in scan", jax.vmap(lambda xs: lax.scan(
    jax.jit(lambda c, x: (c + x, c)), 0.0, xs)), m)
text("associative_scan", jax.vmap(lambda r: lax.associative_scan(jnp.add, r)), m)
text("print in scan", jax.vmap(lambda xs: lax.scan(
    lambda c, x: (jax.debug.print("{}", x), (c + x, None))[1], 0.0, xs)[0]), m)
text("named axis in a loop", jax.vmap(lambda x: lax.fori_loop(
    0, 2, lambda i, c: c + lax.psum(c, "i"), x), axis_name="i"), x)
text("named axis in a branch", lambda p: jax.vmap(lambda x: lax.cond(
    p, lambda: lax.psum(x, "i"), lambda: x), axis_name="i")(x), True)
text("map in batches", lambda m: lax.map(lambda x: x * 2, m, batch_size=2), jnp.arange(6.0))
text("map in batches and a rest", lambda m: lax.map(jnp.sum, m, batch_size=2), jnp.ones((5, 3)))
text("map in one batch", lambda m: lax.map(lambda x: x * 2, m, batch_size=9), m)
text("map, batch size 0", lambda m: lax.map(lambda x: x * 2, m, batch_size=0), m)
text("map of a tree in batches", lambda m: lax.map(
    lambda d: d["a"] + d["b"], {"a": m, "b": m}, batch_size=1), m)
