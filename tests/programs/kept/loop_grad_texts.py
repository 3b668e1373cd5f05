# Derivatives of loops and branches, as a jaxpr.
import jax
import jax.numpy as jnp
from jax import lax

x = jnp.arange(3.0)
w = jnp.eye(3)


def text(label, function, *args):
    try:
        note(label, str(jax.make_jaxpr(function)(*args)))
    except Exception as error:
        note(label, f"{type(error).__name__}: {error}")


def recurrent(w, x):
    return lax.scan(lambda c, y: (jnp.sin(c * w) + y, c), 0.0, x)[0]


text("scan, forward", lambda w, x: jax.jvp(recurrent, (w, x), (w, x)), 2.0, x)
text("scan, gradient", jax.grad(recurrent), 2.0, x)
text("scan, both gradients", jax.grad(recurrent, argnums=(0, 1)), 2.0, x)
text("scan, linearized", lambda w: jax.linearize(recurrent, w, x)[1](w), 2.0)
text("scan, gradient of rows", jax.grad(
    lambda x: lax.scan(lambda c, y: (c + y, c * y), 0.0, x)[1].sum()), x)
text("scan, gradient of rows and carry", jax.grad(
    lambda x: (lambda c, ys: c + ys.sum())(*lax.scan(lambda c, y: (c * y, c + y), 1.0, x))), x)
text("scan of matrices", jax.grad(
    lambda w: lax.scan(lambda h, y: (jnp.tanh(w @ h) + y, None), x, x)[0].sum()), w)
text("scan, linear body", jax.grad(lambda x: lax.scan(lambda c, y: (c + y, None), 0.0, x)[0]), x)
text("scan, constants hoisted", jax.grad(
    lambda w: lax.scan(lambda c, y: (c * jnp.exp(w) + y, None), 0.0, x)[0]), 2.0)
text("scan, counter in the carry", jax.grad(
    lambda w: lax.scan(lambda c, y: ((c[0] + 1, c[1] * w + y), c[0]), (0, 0.0), x)[0][1]), 2.0)
text("scan, carry handed on", jax.grad(
    lambda w: lax.scan(lambda c, y: ((c[0], c[1] * c[0] + y), y), (w, 0.0), x)[0][1]), 2.0)
text("scan reversed and unrolled", jax.grad(
    lambda w: lax.scan(lambda c, y: (c * w + y, None), 0.0, x, reverse=True, unroll=3)[0]), 2.0)
text("nested scan", jax.grad(lambda w: lax.scan(
    lambda c, y: (lax.scan(lambda d, z: (d * w + z, None), c, x)[0] + y, None), 0.0, x)[0]), 2.0)
text("second derivative", jax.grad(jax.grad(recurrent)), 2.0, x)
text("forward over reverse", lambda w: jax.jvp(
    lambda w: jax.grad(recurrent)(w, x), (w,), (1.0,)), 2.0)
text("jit inside scan", jax.grad(lambda w: lax.scan(
    jax.jit(lambda c, y: (jnp.sin(c) * w + y, None)), 0.0, x)[0]), 2.0)
text("scan inside jit", jax.grad(jax.jit(recurrent)), 2.0, x)
text("vmap of grad of scan", jax.vmap(jax.grad(recurrent), in_axes=(0, None)), x, x)
text("grad of vmap of scan", jax.grad(lambda ws: jax.vmap(recurrent, in_axes=(0, None))(ws, x).sum()), x)
text("fori", jax.grad(lambda w: lax.fori_loop(0, 3, lambda i, c: c * w, 1.0)), 2.0)
text("map", jax.grad(lambda x: lax.map(lambda y: y * jnp.sin(y), x).sum()), x)
text("vjp with a zero", lambda x: jax.vjp(
    lambda x: lax.scan(lambda c, y: (c * y, y * 2), 1.0, x), x)[1]((0.0, x)), x)


def choose(x):
    return lax.cond(x > 0, lambda x: jnp.sin(x), lambda x: x * x * 3, x)


text("cond, forward", lambda x: jax.jvp(choose, (x,), (x,)), 1.0)
text("cond, gradient", jax.grad(choose), 1.0)
text("cond, gradient by one branch only", jax.grad(
    lambda x: lax.cond(x > 0, lambda x: x * 2, lambda x: 1.0, x)), 1.0)
text("cond, no gradient", jax.grad(
    lambda x: x * lax.cond(x > 0, lambda: 1.0, lambda: 2.0)), 1.0)
text("cond, closed over", jax.grad(
    lambda w: lax.cond(w > 0, lambda: (w * x).sum(), lambda: (x / w).sum())), 2.0)
text("cond of vectors", jax.grad(lambda v: lax.cond(
    v[0] > 0, lambda v: jnp.sin(v) * v, lambda v: jnp.exp(v), v).sum()), x)
text("cond of trees", jax.grad(lambda d: lax.cond(
    d["a"] > 0, lambda d: d["a"] * d["b"], lambda d: jnp.sin(d["b"]), d)), {"a": 1.0, "b": 2.0})
text("switch", jax.grad(lambda v: lax.switch(
    1, [lambda v: v.sum(), lambda v: (v * v).sum(), lambda v: jnp.sin(v).sum()], v)), x)
text("cond, second derivative", jax.grad(jax.grad(choose)), 1.0)
text("cond in scan", jax.grad(lambda w: lax.scan(
    lambda c, y: (lax.cond(y > 1, lambda: c * w, lambda: c + y), None), 1.0, x)[0]), 2.0)
text("scan in cond", jax.grad(lambda w: lax.cond(
    w > 0, lambda w: recurrent(w, x), lambda w: w, w)), 2.0)
text("vmap of grad of cond", jax.vmap(jax.grad(choose)), x)


def loop(x):
    return lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * x), (0, x))[1]


text("while, forward", lambda x: jax.jvp(loop, (x,), (x,)), 1.0)
text("while, linearized", lambda x: jax.linearize(loop, x)[1](x), 1.0)
text("while, gradient", jax.grad(loop), 1.0)
text("while, condition perturbed", lambda x: jax.jvp(
    lambda x: lax.while_loop(lambda c: c < 9, lambda c: c * x, x), (x,), (x,)), 2.0)
text("while, nothing perturbed", jax.grad(
    lambda x: x * lax.while_loop(lambda c: c < 9, lambda c: c * 2, 1.0)), 2.0)
text("fori, traced bound, forward", lambda n, x: jax.jvp(
    lambda x: lax.fori_loop(0, n, lambda i, c: c * x, 1.0), (x,), (x,)), 3, 2.0)
text("fori, traced bound, gradient", lambda n, x: jax.grad(
    lambda x: lax.fori_loop(0, n, lambda i, c: c * x, 1.0))(x), 3, 2.0)
