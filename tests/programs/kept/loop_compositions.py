# Loops and branches put together at random, under all transformations: their jaxprs and lookups.
import jax
import jax.numpy as jnp
from jax import lax
xs = jnp.arange(3.0)
W = jnp.array([1.0, 2.0, 3.0])
k = jnp.float32(0.5)
def text(label, f, *a):
    try:
        note(label, str(jax.make_jaxpr(f)(*a)))
    except Exception as e:
        note(label, type(e).__name__ + ': ' + str(e).splitlines()[0])

f0 = lambda w: lax.while_loop(lambda s: s[1] < 2, lambda s: (lax.scan(lambda q, z: (q * z + s[0], q), lax.cond(s[0] > 0.3, lambda q: q * s[0], lambda q: q + 1.0, (k * xs[1])), xs)[0], s[1] + 1), (w, 0))[0]
text("0 vmap grad", jax.vmap(jax.grad(f0)), W)
text("0 plain", f0, 1.5)
text("0 grad jit", jax.grad(jax.jit(f0)), 1.5)
text("0 jvp", (lambda f: lambda t: jax.jvp(f, (t,), (t,)))(f0), 1.5)
def run0():
    g = jax.jit(jax.grad(f0))
    return [jnp.shape(l) for l in jax.tree.leaves(g(1.5))]
call("0 jit grad", run0)
call("0 eager grad jit", lambda: jax.tree.map(jnp.shape, jax.grad(jax.jit(f0))(1.5)))
f1 = lambda w: lax.while_loop(lambda s: s[1] < 3, lambda s: (k, s[1] + 1), (w, 0))[0]
text("1 vmap grad", jax.vmap(jax.grad(f1)), W)
text("1 grad checkpoint", jax.grad(jax.checkpoint(f1)), 1.5)
text("1 grad jit", jax.grad(jax.jit(f1)), 1.5)
text("1 grad", jax.grad(f1), 1.5)
def run1():
    g = jax.jit(jax.grad(lambda v: jax.vmap(f1)(v).sum()))
    return [jnp.shape(l) for l in jax.tree.leaves(g(W))]
call("1 jit grad vmap", run1)
call("1 eager vmap grad", lambda: jax.tree.map(jnp.shape, jax.vmap(jax.grad(f1))(W)))
f2 = lambda w: lax.scan(lambda c, x: (lax.cond(x > 0.3, lambda q: q * c, lambda q: q + 1.0, xs[1]), (c, x)), w, xs, reverse=True)[0]
text("2 vmap", jax.vmap(f2), W)
text("2 vmap grad ckpt", jax.vmap(jax.grad(jax.checkpoint(f2))), W)
text("2 grad", jax.grad(f2), 1.5)
text("2 vmap grad", jax.vmap(jax.grad(f2)), W)
call("2 eager plain", lambda: jax.tree.map(jnp.shape, f2(1.5)))
f3 = lambda w: lax.scan(lambda c, x: (lax.scan(lambda q, z: (q * z + x, q), (jnp.maximum((jnp.maximum(x, 0.5)), lax.cond(c > 0.3, lambda: k, lambda: 0.5))), xs)[0], x), w, xs, unroll=True)[0]
text("3 grad grad", jax.grad(jax.grad(f3)), 1.5)
text("3 vmap grad ckpt", jax.vmap(jax.grad(jax.checkpoint(f3))), W)
text("3 vmap grad", jax.vmap(jax.grad(f3)), W)
text("3 grad checkpoint", jax.grad(jax.checkpoint(f3)), 1.5)
def run3():
    g = jax.jit(jax.grad(lambda v: jax.vmap(f3)(v).sum()))
    return [jnp.shape(l) for l in jax.tree.leaves(g(W))]
call("3 jit grad vmap", run3)
f4 = lambda w: lax.cond(w > 0.5, lambda a: jnp.sin(0.5), lambda a: lax.switch(1, [lambda q: q, lambda q: q * a, jnp.cos], ((0.5 * xs[1]) * jnp.sin(xs[1]))), w)
text("4 grad grad", jax.grad(jax.grad(f4)), 1.5)
text("4 plain", f4, 1.5)
text("4 jvp", (lambda f: lambda t: jax.jvp(f, (t,), (t,)))(f4), 1.5)
text("4 grad checkpoint", jax.grad(jax.checkpoint(f4)), 1.5)
def run4():
    g = jax.jit(jax.vmap(jax.grad(jax.checkpoint(f4))))
    return [jnp.shape(l) for l in jax.tree.leaves(g(W))]
call("4 jit vmap grad ckpt", run4)
f5 = lambda w: lax.fori_loop(0, 2, lambda i, c: (xs[1] + 0.5), w)
text("5 grad grad", jax.grad(jax.grad(f5)), 1.5)
text("5 lin", (lambda f: lambda t: jax.linearize(f, t)[1](t))(f5), 1.5)
text("5 vmap grad", jax.vmap(jax.grad(f5)), W)
text("5 vmap", jax.vmap(f5), W)
def run5():
    g = jax.jit(jax.grad(jax.grad(f5)))
    return [jnp.shape(l) for l in jax.tree.leaves(g(1.5))]
call("5 jit grad grad", run5)
call("5 eager vmap grad", lambda: jax.tree.map(jnp.shape, jax.vmap(jax.grad(f5))(W)))
f6 = lambda w: lax.cond(w > 0.5, lambda a: (xs[1] * w), lambda a: jnp.sin(k), w)
text("6 vmap grad ckpt", jax.vmap(jax.grad(jax.checkpoint(f6))), W)
text("6 plain", f6, 1.5)
text("6 jvp", (lambda f: lambda t: jax.jvp(f, (t,), (t,)))(f6), 1.5)
text("6 vmap", jax.vmap(f6), W)
def run6():
    g = jax.jit((lambda f: lambda t: jax.linearize(f, t)[1](t))(f6))
    return [jnp.shape(l) for l in jax.tree.leaves(g(1.5))]
call("6 jit lin", run6)
f7 = lambda w: lax.cond(w > 0.5, lambda a: (lax.switch(1, [lambda q: q, lambda q: q * w, jnp.cos], (jnp.where(0.5 > 0.2, w, k))) * ((a * 0.5) - (jnp.where(0.5 > 0.2, xs[1], k)))), lambda a: jax.jit(lambda q: q * a)(lax.fori_loop(0, 2, lambda i, q: q * a + i, (k - 0.5))), w)
text("7 jvp", (lambda f: lambda t: jax.jvp(f, (t,), (t,)))(f7), 1.5)
text("7 grad checkpoint", jax.grad(jax.checkpoint(f7)), 1.5)
text("7 grad vmap", jax.grad(lambda v: jax.vmap(f7)(v).sum()), W)
text("7 jit grad", jax.jit(jax.grad(f7)), 1.5)
