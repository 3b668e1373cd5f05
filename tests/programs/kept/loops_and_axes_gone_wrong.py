# shows: Loops, branches and vmap with what does not fit them.
import jax, jax.numpy as jnp, numpy as np
from jax import lax
x = jnp.arange(4.)
def tr(label, th):
    try: return call(label, th)
    except Exception as e: print(label, type(e).__name__)
scale = 2.0
def body(c, a): return c + a * scale, c
tr("scan", lambda: lax.scan(body, 0., x)); tr("scan again", lambda: lax.scan(body, 0., x)); scale = 3.0
tr("scan stale", lambda: lax.scan(body, 0., x)); tr("scan lambda", lambda: lax.scan(lambda c, a: (c + a, c), 0., x)); tr("scan lambda again", lambda: lax.scan(lambda c, a: (c + a, c), 0., x))
tr("unroll", lambda: lax.scan(body, 0., x, unroll=2)); tr("reverse", lambda: lax.scan(body, 0., x, reverse=True)); tr("length", lambda: lax.scan(body, 0., x, length=4)); tr("bad length", lambda: lax.scan(body, 0., x, length=5)); tr("weak", lambda: lax.scan(body, 0, x)); tr("strong", lambda: lax.scan(body, jnp.float32(0), x)); tr("int", lambda: lax.scan(body, jnp.int32(0), x)); tr("xs None", lambda: lax.scan(lambda c, _: (c + 1, c), 0, None, length=3)); tr("xs tree", lambda: lax.scan(lambda c, t: (c + t["a"], t["b"]), 0., {"a": x, "b": x})); tr("mismatch", lambda: lax.scan(lambda c, t: (c, t), 0., (x, jnp.ones(3)))); tr("empty", lambda: lax.scan(body, 0., jnp.zeros(0))); tr("0 len", lambda: lax.scan(lambda c, _: (c, c), 0., None, length=0))
tr("cond", lambda: lax.cond(True, lambda: 1, lambda: 2)); tr("cond pred arr", lambda: lax.cond(x[0] > 0, lambda v: v + 1, lambda v: v - 1, x)); tr("cond mism", lambda: lax.cond(True, lambda: 1, lambda: 2.)); tr("cond tree", lambda: lax.cond(True, lambda: (1,), lambda: [1])); tr("cond int", lambda: lax.cond(1, lambda: 1, lambda: 2)); tr("cond np", lambda: lax.cond(np.bool_(True), lambda: 1, lambda: 2)); tr("cond vec", lambda: lax.cond(x > 0, lambda: 1, lambda: 2)); tr("cond none", lambda: lax.cond(None, lambda: 1, lambda: 2)); tr("cond str", lambda: lax.cond("a", lambda: 1, lambda: 2))
tr("switch", lambda: lax.switch(1, [lambda v: v, lambda v: v * 2], x)); tr("switch oob", lambda: lax.switch(7, [lambda v: v, lambda v: v * 2], x)); tr("switch 1", lambda: lax.switch(0, [lambda v: v], x)); tr("switch 0", lambda: lax.switch(0, [], x)); tr("switch float", lambda: lax.switch(1., [lambda v: v, lambda v: v], x))
tr("while", lambda: lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * 2), (0, 1.))); tr("while bad", lambda: lax.while_loop(lambda c: c, lambda c: c, 1)); tr("while weak", lambda: lax.while_loop(lambda c: c < 3, lambda c: c + jnp.float32(1), 0)); tr("fori", lambda: lax.fori_loop(0, 3, lambda i, c: c + i, 0)); tr("fori arr", lambda: lax.fori_loop(0, jnp.int32(3), lambda i, c: c + i, 0)); tr("fori neg", lambda: lax.fori_loop(3, 0, lambda i, c: c + i, 0)); tr("fori float", lambda: lax.fori_loop(0., 3., lambda i, c: c + i, 0)); tr("fori unroll", lambda: lax.fori_loop(0, 4, lambda i, c: c + i, 0, unroll=2)); tr("map", lambda: lax.map(lambda v: v * 2, x)); tr("map batch", lambda: lax.map(lambda v: v * 2, x, batch_size=2)); tr("assoc", lambda: lax.associative_scan(jnp.add, x)); tr("assoc rev", lambda: lax.associative_scan(jnp.maximum, x, reverse=True))
@jax.jit
def many(x):
    def inner(c, a): return lax.cond(a > 1, lambda: (c + a, a), lambda: (c, -a))
    c, ys = lax.scan(inner, 0., x)
    return lax.while_loop(lambda t: t[0] > 0, lambda t: (t[0] - 1, t[1] + ys), (c, ys))
tr("many", lambda: many(x)); tr("many again", lambda: many(x)); tr("many grad", lambda: jax.grad(lambda v: many(v)[1].sum())(x)); tr("many vmap", lambda: jax.vmap(many)(jnp.stack([x, x + 1])))
for in_axes in (0, 1, None, (0,), [0], {"a": 0}, -1, "a", 5, True):
    tr(f"vmap {in_axes}", lambda: jax.vmap(lambda v: v.sum(), in_axes=in_axes)(jnp.ones((2, 3))))
for out_axes in (0, 1, None, -1, 3):
    tr(f"out {out_axes}", lambda: jax.vmap(lambda v: v * 2, out_axes=out_axes)(jnp.ones((2, 3))))
g = jax.jit(jax.vmap(lambda a, b: a @ b, in_axes=(0, None)))
tr("g", lambda: g(jnp.ones((2, 3)), jnp.ones(3))); tr("g again", lambda: g(jnp.ones((2, 3)), jnp.ones(3))); tr("g other", lambda: g(jnp.ones((4, 3)), jnp.ones(3))); tr("g bad", lambda: g(jnp.ones(3), jnp.ones(3))); tr("kw", lambda: g(jnp.ones((2, 3)), b=jnp.ones(3))); tr("axis size", lambda: jax.vmap(lambda a, b: a + b)(jnp.ones(2), jnp.ones(3))); tr("axis_name", lambda: jax.vmap(lambda a: lax.psum(a, "i"), axis_name="i")(x)); tr("spmd", lambda: jax.vmap(lambda: 1, axis_size=3)()); tr("no args", lambda: jax.vmap(lambda: 1)()); tr("nested", lambda: jax.vmap(jax.vmap(lambda a: a * 2, in_axes=1), in_axes=0)(jnp.ones((2, 3, 4))))
