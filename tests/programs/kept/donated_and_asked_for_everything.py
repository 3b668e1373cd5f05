# shows: Everything that can be asked of a donated array, and buffers that are not taken.
import jax, jax.numpy as jnp, numpy as np
from functools import partial
def tr(label, th):
    try: return call(label, th)
    except Exception as e: print(label, type(e).__name__)
x = jnp.ones(4)
f = jax.jit(lambda x: x + 1, donate_argnums=0)
y = jnp.ones(4)
tr("d1", lambda: f(y)); tr("again", lambda: f(y)); tr("read", lambda: float(y[0])); tr("deleted", lambda: y.is_deleted()); tr("repr", lambda: repr(y)); tr("shape", lambda: y.shape); tr("add", lambda: y + 1); tr("np", lambda: np.asarray(y)); tr("tree", lambda: jax.tree.map(lambda a: a.shape, [y])); tr("device_put", lambda: jax.device_put(y)); tr("jit other", lambda: jax.jit(lambda a: a * 2)(y)); tr("block", lambda: y.block_until_ready()); tr("delete", lambda: y.delete()); tr("eq", lambda: y == y); tr("len", lambda: len(y)); tr("iter", lambda: list(y)); tr("bool", lambda: bool(y)); tr("copy", lambda: y.copy()); tr("at", lambda: y.at[0].set(1)); tr("sum", lambda: y.sum()); tr("closure", lambda: jax.jit(lambda: y * 2)()); tr("grad", lambda: jax.grad(lambda a: a.sum())(y)); tr("static", lambda: jax.jit(lambda a, b: b, static_argnums=0)(1, y)); tr("dtype", lambda: str(y.dtype)); tr("str", lambda: str(y)); tr("format", lambda: f"{y}"); tr("hash", lambda: hash(y)); tr("index", lambda: [1, 2][y]); tr("in", lambda: 1 in y); tr("T", lambda: y.T); tr("ravel", lambda: y.ravel()); tr("item", lambda: y.item()); tr("tolist", lambda: y.tolist()); tr("sharding", lambda: str(y.sharding)); tr("devices", lambda: str(y.devices())); tr("nbytes", lambda: y.nbytes)
z = jnp.ones(4); tr("same twice", lambda: jax.jit(lambda a, b: a + b, donate_argnums=(0, 1))(z, z)); z = jnp.ones(4); tr("same donated and not", lambda: jax.jit(lambda a, b: a + b, donate_argnums=0)(z, z)); 
z = jnp.ones(4); v = z[:]; tr("view", lambda: f(z)); tr("view read", lambda: v.sum())
z = np.ones(4, np.float32); tr("np", lambda: f(z)); tr("np again", lambda: f(z)); tr("scalar", lambda: f(1.0)); tr("list", lambda: f([z]))
g = jax.jit(lambda t: {"a": t["a"] + 1, "c": t["b"].sum()}, donate_argnames="t"); t = {"a": jnp.ones(3), "b": jnp.ones((2, 2))}
tr("tree", lambda: g(t)); tr("a", lambda: t["a"].is_deleted()); tr("b", lambda: t["b"].is_deleted()); tr("kw", lambda: g(t={"a": jnp.ones(3), "b": jnp.ones((2, 2))})); tr("again", lambda: g(t))
h = jax.jit(lambda x: x[:2], donate_argnums=0); z = jnp.ones(4); tr("unusable", lambda: h(z)); tr("unusable read", lambda: z.is_deleted()); tr("unusable again", lambda: h(z))
i = jax.jit(lambda x: x, donate_argnums=0); z = jnp.ones(4); tr("identity", lambda: i(z)); tr("identity read", lambda: z.is_deleted())
@partial(jax.jit, donate_argnums=0)
def bad(x): raise ValueError("no")
z = jnp.ones(4); tr("raises", lambda: bad(z)); tr("kept", lambda: z.sum())
with jax.debug_nans(True):
    z = jnp.ones(4); tr("nan mode", lambda: f(z)); tr("nan kept", lambda: z.is_deleted())
z = jnp.ones(4); tr("grad donated", lambda: jax.grad(lambda a: f(a).sum())(z)); tr("grad kept", lambda: z.is_deleted()); tr("vmap donated", lambda: jax.vmap(f)(jnp.ones((2, 4)))); tr("lower", lambda: f.lower(z).compile()(z)); tr("lower kept", lambda: z.is_deleted()); tr("nested", lambda: jax.jit(lambda a: f(a) + a)(jnp.ones(4)))
def loop(n):
    s = jnp.zeros(4)
    for _ in range(n): s = f(s)
    return s
tr("loop", lambda: loop(3))
