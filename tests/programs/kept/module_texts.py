# happens: the text of a lowered program, function by function.
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

x = np.ones((4, 4), np.float32)
v = np.arange(8, dtype=np.float32)
i = np.arange(8, dtype=np.int32)
h = jnp.ones((8,), jnp.bfloat16)
b, u, z = v > 2, v.astype(np.uint8), jnp.ones(3, jnp.complex64)


def show(name, fun, *args, **options):
    note(name, jax.jit(fun, **options).lower(*args).as_text())


@jax.jit
def inner(x):
    return jnp.where(x > 0, x, 0)


@jax.jit
def outer(x):
    return inner(x) + inner(x + 1) + inner(x[0])


def layer(p, x):
    return {"out": jnp.tanh(p["w"] @ x + p["b"]), "norm": (jnp.sum(x), 3)}


show("nested", lambda v: outer(v) + outer(v * 2), v)
show("layer", layer, {"w": x, "b": v[:4]}, v[:4])
show("product", lambda x: x @ x, x)
for name in """sign floor ceil abs exp log log1p expm1 tan sqrt rsqrt cbrt logistic is_finite erf
               tanh asin sinh square reciprocal""".split():
    show(name, getattr(lax, name), v)
show("round", jnp.round, v)
show("not", jnp.logical_not, b)
show("invert", jnp.invert, i)
show("powers", lambda v: (v ** 5, v ** -1, v ** 4, v ** -2, v ** 0, v ** 3, v ** 2, v ** 7, v ** -3), v)
show("comparisons", lambda b, u, z: (b == True, u > 2, z == z), b, u, z)  # noqa: E712
show("reductions", lambda x: (x.min(0), x.prod(1), jnp.sum(x, axis=(0, 1)), jnp.any(x > 0),
                              jnp.all(x > 0), x.max()), x)
show("reductions of integers", lambda i: (i.max(), i.min(), i.sum(), i.prod()), i)
show("mean, variance", lambda x: (jnp.mean(x, axis=0), jnp.var(x)), x)
show("clamp", lambda v: lax.clamp(0., v, 1.), v)
show("clip", lambda v: jnp.clip(v, 0, 1), v)
show("pad", lambda v: jnp.pad(v, 2), v)
show("order", lambda v: (v[::-1], v[1:5:2], v[3], v.reshape(2, 4).T, jnp.split(v, 2)), v)
show("products", lambda x, v: (jnp.dot(x, v[:4]), jnp.einsum("ij,kj->ik", x, x),
                               jnp.einsum("bij,bjk->bik", x[None], x[None]), v @ v), x, v)
show("precision", lambda x: jnp.matmul(x, x, precision="highest"), x)
show("half", lambda h: (jnp.dot(h, h, preferred_element_type=jnp.float32), h * 2.5), h)
show("dynamic", lambda v, n: (lax.dynamic_slice(v, (n,), (2,)),
                              lax.dynamic_update_slice(v, jnp.ones(2), (n,))), v, 1)
show("constants", lambda x, i, b: (x + np.arange(16, dtype=np.float32).reshape(4, 4) / 3,
                                   i + np.arange(8), b & np.array([True, False] * 4),
                                   x + np.ones(4, np.float32)), x, i, b)
show("numbers", lambda v: v * 1.5e-5 + 123456.789 + jnp.nan - jnp.inf + 0.1 + 1 / 3 + 1e20
     - 0.0012345678, v)
show("complex", lambda z: z * 2j + 1, z)
show("nothing", lambda v: (), v)
show("itself", lambda v: (v, v, jnp.copy(v)), v)
show("literals", lambda: (1, 2.5, True))
show("made", lambda: (jnp.arange(5), jnp.ones((2, 3)), lax.broadcasted_iota(jnp.int32, (2, 3), 1)))
show("unused", lambda a, b: a + 1, v, v)
show("unused, kept", lambda a, b: a + 1, v, v, keep_unused=True)
show("donated", lambda v: v + 1, v, donate_argnums=0)
show("activations", lambda v: (jax.nn.relu(v), jax.nn.softplus(v), jax.nn.gelu(v),
                               jax.nn.sigmoid(v), jax.nn.softmax(v), jax.nn.silu(v)), v)
show("gradient", jax.value_and_grad(lambda w, x: jnp.mean((jnp.tanh(x @ w) - 1) ** 2)), x, x)
show("integers", lambda i: (i % 3, i // 3, i << 1, i >> 1, i & 3, -i, abs(i)), i)
show("floats", lambda v: (v % 3, v ** v, jnp.arctan2(v, v), v / 2 - 1, jnp.maximum(v, 2)), v)
show("types", lambda v, i, b: (v.astype(int), i.astype(float), b.astype(int), v.astype(bool),
                               i.astype(bool), v.astype(jnp.bfloat16), i.astype(jnp.uint8)), v, i, b)
show("branches", lambda p, v: lax.cond(p, lambda y: (y, y * 2), lambda y: (inner(y) + 1, y), v),
     True, v)
show("one result of branches", lambda p, v: lax.cond(p, jnp.sin, lambda y: y + 1, v), True, v)
