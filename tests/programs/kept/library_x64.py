"""The library with 64-bit types.

Each expression runs eagerly, twice, then its jaxpr is looked at, then it runs jitted."""

import re

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

x = jnp.asarray(np.array([0.5, -1.25, 2.0], "f4"))
y = jnp.asarray(np.array([2.0, 0.5, -3.0], "f4"))
i = jnp.asarray(np.array([3, -4, 5], "i4"))
u = jnp.asarray(np.array([3, 4, 5], "u4"))
b = jnp.asarray(np.array([True, False, True]))
m = jnp.asarray(np.arange(6, dtype="f4").reshape(2, 3))
n = jnp.asarray(np.arange(12, dtype="f4").reshape(3, 4))
h = jnp.asarray(np.array([1.5, 2.5], "f2"))
i8 = jnp.asarray(np.array([3, -4], "i1"))
s = jnp.asarray(1.5)
k = jnp.asarray(1)
npd = np.array([1.0, 2.0, 3.0])
npi = np.array([1, 2, 0])


def jaxpr(f, *args):
    try:
        return str(jax.make_jaxpr(f)(*args))
    except Exception as error:
        first = (str(error).splitlines() or [""])[0]
        return f"{type(error).__name__}: {re.sub(' at [^ ]+:[0-9]+', '', first)}"


def look(text, f, *args):
    call(text, lambda: f(*args))
    call(f"{text} again", lambda: f(*args))
    note(f"jaxpr of {text}", jaxpr(f, *args))
    call(f"jit of {text}", lambda: jax.jit(f)(*args))


jax.config.update("jax_enable_x64", True)
look("x+1", lambda x: x + 1, x)
look("x+npd", lambda x: x + npd, x)
look("jnp.zeros(3)", lambda: jnp.zeros(3))
look("jnp.arange(3)", lambda: jnp.arange(3))
look("jnp.arange(3.)", lambda: jnp.arange(3.0))
look("jnp.array(1.5)", lambda: jnp.array(1.5))
look("jnp.array([1,2])", lambda: jnp.array([1, 2]))
look("jnp.asarray(npd)", lambda: jnp.asarray(npd))
look("jnp.asarray(npi)", lambda: jnp.asarray(npi))
look("jnp.float64(1)", lambda: jnp.float64(1))
look("jnp.float32(1)", lambda: jnp.float32(1))
look("i+np.int64(1)", lambda i: i + np.int64(1), i)
look("i/2", lambda i: i / 2, i)
look("jnp.sum(i)", lambda i: jnp.sum(i), i)
look("jnp.sum(b)", lambda b: jnp.sum(b), b)
look("jnp.mean(i)", lambda i: jnp.mean(i), i)
look("x.argmax()", lambda x: x.argmax(), x)
look("x[0]", lambda x: x[0], x)
look("x[k]", lambda x, k: x[k], x, k)
look("x[jnp.array([0,1])]", lambda x: x[jnp.array([0, 1])], x)
look("m[k,1]", lambda m, k: m[k, 1], m, k)
look("x.at[0].add(1)", lambda x: x.at[0].add(1), x)
look("jnp.linspace(0,1,3)", lambda: jnp.linspace(0, 1, 3))
look("jnp.sin(1.0)", lambda: jnp.sin(1.0))
look("jnp.sin(2)", lambda: jnp.sin(2))
look("lax.sin(1.0)", lambda: lax.sin(1.0))
look("lax.add(1,2)", lambda: lax.add(1, 2))
look("jnp.where(b,1,2.5)", lambda b: jnp.where(b, 1, 2.5), b)
look("jnp.cumsum(i)", lambda i: jnp.cumsum(i), i)
look("jnp.eye(2)", lambda: jnp.eye(2))
look("jnp.std(x)", lambda x: jnp.std(x), x)
look("x**2", lambda x: x**2, x)
look("x**0.5", lambda x: x**0.5, x)
look("i//2", lambda i: i // 2, i)
look("i%2", lambda i: i % 2, i)
look("x//2.5", lambda x: x // 2.5, x)
look("jnp.asarray(2**40)", lambda: jnp.asarray(2**40))
look("jnp.argsort(x)", lambda x: jnp.argsort(x), x)
look("jnp.sort(npd)", lambda: jnp.sort(npd))
look("jnp.dot(m,n)", lambda m, n: jnp.dot(m, n), m, n)
look("jnp.asarray(True)+1", lambda: jnp.asarray(True) + 1)
look("jnp.full((2,),1.5)", lambda: jnp.full((2,), 1.5))
look("jnp.ones(2,'float32')", lambda: jnp.ones(2, "float32"))
look("x.astype(float)", lambda x: x.astype(float), x)
look("x.astype('float64')", lambda x: x.astype("float64"), x)
look("jnp.nonzero(b)", lambda b: jnp.nonzero(b), b)
look("s*2", lambda s: s * 2, s)
look("k+1", lambda k: k + 1, k)
look("npd*2", lambda: npd * 2)
look("jnp.round(x,1)", lambda x: jnp.round(x, 1), x)
look("jnp.isclose(x,y)", lambda x, y: jnp.isclose(x, y), x, y)
look("jnp.take(x,jnp.array([0]))", lambda x: jnp.take(x, jnp.array([0])), x)
look("jnp.roll(x,1)", lambda x: jnp.roll(x, 1), x)
look("jnp.repeat(x,2)", lambda x: jnp.repeat(x, 2), x)
look("jnp.concatenate([x,npd])", lambda x: jnp.concatenate([x, npd]), x)
look("jnp.stack([x,1.0])", lambda x: jnp.stack([x, 1.0]), x)
look("jnp.clip(x,0,1)", lambda x: jnp.clip(x, 0, 1), x)
look("u+1", lambda u: u + 1, u)
look("i8+1", lambda i8: i8 + 1, i8)
look("h*2.5", lambda h: h * 2.5, h)
look("jnp.logspace(0,1,3)", lambda: jnp.logspace(0, 1, 3))
look("jnp.unstack(x)", lambda x: jnp.unstack(x), x)
look("jnp.trace(m)", lambda m: jnp.trace(m), m)
