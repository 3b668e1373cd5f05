# shows: Errors of values that are not known yet, and of tracers that escape, in full words.
# source: https://docs.jax.dev/en/latest/errors.html
import re
import jax, jax.numpy as jnp, numpy as np
from jax import lax

def shown(error):
    text = re.sub(r"object id \d+", "object id N", str(error))
    text = text.partition("the final 5 stack frames")[0]
    return type(error).__name__ + ": " + re.sub(r"(/tmp/\S*?|<dir>)/(\w+\.py)", r"\2", text)

def attempt(label, fun, *args):
    try:
        fun(*args)
    except Exception as error:
        note(label, shown(error))

def relu(x): return x if x > 0 else 0.0
def both(x, y):
    while x < y: x = x + 1
    return x
def three(a, b, c): return bool(a * b + c)
def tree(p): return float(p["w"] * p["b"][0])
x = jnp.ones(3)
attempt("bool", jax.jit(relu), 1.0)
attempt("two", jax.jit(both), 1, 5)
attempt("three", jax.jit(three), 1, 2, 3)
attempt("tree", jax.jit(tree), {"w": 1.0, "b": [2.0]})
attempt("int", jax.jit(lambda n: [0] * int(n)), 3)
attempt("complex", jax.jit(lambda n: complex(n)), 3)
attempt("index", jax.jit(lambda n: list(range(n))), 3)
attempt("list index", jax.jit(lambda n: [1, 2, 3][n]), 1)
attempt("numpy", jax.jit(lambda v: np.sin(v)), x)
attempt("item", jax.jit(lambda v: v.sum().item()), x)
attempt("tolist", jax.jit(lambda v: v.tolist()), x)
attempt("shape", jax.jit(lambda n: jnp.zeros(n)), 3)
attempt("shape2", jax.jit(lambda n, m: jnp.ones((n, 2, m))), 3, 4)
attempt("reshape", jax.jit(lambda v, n: v.reshape(n, -1)), x, 3)
attempt("arange", jax.jit(lambda n: jnp.arange(n)), 3)
attempt("linspace", jax.jit(lambda n: jnp.linspace(0, 1, n)), 3)
attempt("mask", jax.jit(lambda v: v[v > 0]), x)
attempt("nonzero", jax.jit(lambda v: jnp.nonzero(v)), x)
attempt("where1", jax.jit(lambda v: jnp.where(v)), x)
attempt("unique", jax.jit(lambda v: jnp.unique(v)), x)
attempt("axis", jax.jit(lambda v, a: v.sum(a)), x, 0)
attempt("repeat", jax.jit(lambda v, a: jnp.repeat(v, a)), x, 2)
attempt("made inside", jax.jit(lambda: bool(jnp.sum(jnp.arange(3)) > 2)))
attempt("made of constants", jax.jit(lambda v: 1 if jnp.any(jnp.ones(3) > x) else v), 1.0)
attempt("vmap", jax.vmap(relu), x)
attempt("vmap of a call", jax.vmap(lambda v: relu(jnp.sin(v))), x)
attempt("grad of jit", jax.grad(jax.jit(relu)), 1.0)
attempt("jit of grad", jax.jit(jax.grad(relu)), 1.0)
attempt("scan", lambda: lax.scan(lambda c, v: (relu(c), v), 0.0, x))
attempt("cond", lambda: lax.cond(True, relu, lambda v: v, 1.0))
attempt("while", lambda: lax.while_loop(lambda c: c < 3 and True, lambda c: c + 1, 0))
attempt("fori", jax.jit(lambda n: lax.fori_loop(0, n, lambda i, c: c + [1, 2][i], 0)), 3)
attempt("scan length", jax.jit(lambda n: lax.scan(lambda c, _: (c, None), 0, None, length=n)), 3)
attempt("devices", jax.jit(lambda v: v.devices()), x)
attempt("sharding", jax.jit(lambda v: v.sharding), x)
attempt("is_deleted", jax.jit(lambda v: v.is_deleted()), x)
attempt("committed", jax.jit(lambda v: v.committed), x)
attempt("block", jax.jit(lambda v: v.block_until_ready()), x)
attempt("one_hot", jax.jit(lambda v, n: jax.nn.one_hot(v, n)), x, 3)
attempt("eye", jax.jit(lambda n: jnp.eye(n)), 3)
attempt("split", jax.jit(lambda v, n: jnp.split(v, n)), x, 3)
attempt("random", jax.jit(lambda k, n: jax.random.normal(k, (n,))), jax.random.key(0), 3)
attempt("dynamic_slice", jax.jit(lambda v, n: lax.dynamic_slice(v, (0,), (n,))), x, 2)
attempt("slice", jax.jit(lambda v, n: v[:n]), x, 2)
leaked = []
@jax.jit
def leaks(v):
    leaked.append(v * 2)
    leaked.append(v)
    return v
leaks(x)
attempt("leak", lambda: leaked[0] + 1)
attempt("leaked argument", lambda: jnp.sin(leaked[1]))
attempt("leak in a jit", jax.jit(lambda v: v + leaked[0]), x)
attempt("leak of vmap", lambda: (jax.vmap(lambda v: leaked.append(v) or v)(x), leaked[-1] + 1))
attempt("leak of grad", lambda: (jax.grad(lambda v: (leaked.append(v), v)[1])(1.0), leaked[-1] + 1))
def helper(v):
    leaked.append(jnp.cos(v))
    return v
attempt("leak of scan", lambda: (lax.scan(lambda c, v: (helper(c), v), 0.0, x), leaked[-1] + 1))
