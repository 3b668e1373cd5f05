"""The library: indexing, gathering, updating in place and choosing.

Each expression runs eagerly, twice, then its jaxpr is looked at, then it runs jitted."""

import re

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

x = jnp.asarray(np.array([0.5, -1.25, 2.0], "f4"))
y = jnp.asarray(np.array([2.0, 0.5, -3.0], "f4"))
i = jnp.asarray(np.array([3, -4, 5], "i4"))
j = jnp.asarray(np.array([2, 3, -2], "i4"))
b = jnp.asarray(np.array([True, False, True]))
m = jnp.asarray(np.arange(6, dtype="f4").reshape(2, 3))
n = jnp.asarray(np.arange(12, dtype="f4").reshape(3, 4))
k = jnp.asarray(1)
q = jnp.asarray(np.arange(24, dtype="f4").reshape(2, 3, 4))


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


look("m.at[0,1].set(9)", lambda m: m.at[0, 1].set(9), m)
look("m.at[:,1].set(x[:2])", lambda x, m: m.at[:, 1].set(x[:2]), x, m)
look("m.at[...,0].add(1.)", lambda m: m.at[..., 0].add(1.0), m)
look("x.at[0].get()", lambda x: x.at[0].get(), x)
look("x.at[5].get(mode='fill',fill_value=0)", lambda x: x.at[5].get(mode="fill", fill_value=0), x)
look(
    "x.at[jnp.array([0,7])].get(mode='clip')", lambda x: x.at[jnp.array([0, 7])].get(mode="clip"), x
)
look("x.at[0].min(0)", lambda x: x.at[0].min(0), x)
look("x.at[0].max(0)", lambda x: x.at[0].max(0), x)
look("x.at[0].subtract(1)", lambda x: x.at[0].subtract(1), x)
look("x.at[0].divide(2)", lambda x: x.at[0].divide(2), x)
look("x.at[0].power(2)", lambda x: x.at[0].power(2), x)
look("x.at[b].set(0)", lambda x, b: x.at[b].set(0), x, b)
look("x.at[x>0].set(0)", lambda x: x.at[x > 0].set(0), x)
look("x.at[::2].set(1)", lambda x: x.at[::2].set(1), x)
look("x.at[::-1].set(y)", lambda x, y: x.at[::-1].set(y), x, y)
look("b.at[0].set(False)", lambda b: b.at[0].set(False), b)
look(
    "m.at[jnp.array([0,1]),jnp.array([0,1])].set(7)",
    lambda m: m.at[jnp.array([0, 1]), jnp.array([0, 1])].set(7),
    m,
)
look("x.at[k].set(3)", lambda x, k: x.at[k].set(3), x, k)
look("x.at[0,0].set(1)", lambda x: x.at[0, 0].set(1), x)
look("x.at[True].set(1.)", lambda x: x.at[True].set(1.0), x)
look("jnp.take(x,jnp.array([0,2]))", lambda x: jnp.take(x, jnp.array([0, 2])), x)
look("jnp.take(m,1,axis=1)", lambda m: jnp.take(m, 1, axis=1), m)
look(
    "jnp.take(m,jnp.array([0]),axis=0,mode='clip')",
    lambda m: jnp.take(m, jnp.array([0]), axis=0, mode="clip"),
    m,
)
look(
    "jnp.take(m,jnp.array([3]),mode='wrap')", lambda m: jnp.take(m, jnp.array([3]), mode="wrap"), m
)
look(
    "jnp.take_along_axis(m,jnp.array([[0],[1]]),axis=1)",
    lambda m: jnp.take_along_axis(m, jnp.array([[0], [1]]), axis=1),
    m,
)
look("jnp.take_along_axis(x,jnp.argsort(x))", lambda x: jnp.take_along_axis(x, jnp.argsort(x)), x)
look("jnp.squeeze(m[None])", lambda m: jnp.squeeze(m[None]), m)
look("m[None].squeeze(0)", lambda m: m[None].squeeze(0), m)
look("q@n[None,:,:2].T[:,:,0]", lambda n, q: q @ n[None, :, :2].T[:, :, 0], n, q)
look("jnp.sort(x)", lambda x: jnp.sort(x), x)
look("jnp.sort(m,axis=0)", lambda m: jnp.sort(m, axis=0), m)
look("jnp.sort(x,descending=True)", lambda x: jnp.sort(x, descending=True), x)
look("jnp.argsort(x)", lambda x: jnp.argsort(x), x)
look("jnp.argsort(m,axis=0,descending=True)", lambda m: jnp.argsort(m, axis=0, descending=True), m)
look("jnp.argmax(m)", lambda m: jnp.argmax(m), m)
look("jnp.argmax(m,keepdims=True)", lambda m: jnp.argmax(m, keepdims=True), m)
look("jnp.argmin(x,axis=0)", lambda x: jnp.argmin(x, axis=0), x)
look("jnp.nonzero(x>0)", lambda x: jnp.nonzero(x > 0), x)
look("jnp.nonzero(x,size=2)", lambda x: jnp.nonzero(x, size=2), x)
look("jnp.where(x>0)", lambda x: jnp.where(x > 0), x)
look("jnp.where(x,1,0)", lambda x: jnp.where(x, 1, 0), x)
look("jnp.where(b,x,i)", lambda x, i, b: jnp.where(b, x, i), x, i, b)
look("jnp.where(b,m,0)", lambda b, m: jnp.where(b, m, 0), b, m)
look("jnp.where(True,x,y)", lambda x, y: jnp.where(True, x, y), x, y)
look("jnp.where(x>0,x)", lambda x: jnp.where(x > 0, x), x)
look("jnp.select([x>0,x<0],[x,y],0)", lambda x, y: jnp.select([x > 0, x < 0], [x, y], 0), x, y)
look("jnp.clip(i,0,2.5)", lambda i: jnp.clip(i, 0, 2.5), i)
look("jnp.clip(x,min=0)", lambda x: jnp.clip(x, min=0), x)
look("jnp.flatnonzero(x)", lambda x: jnp.flatnonzero(x), x)
look("jnp.triu_indices(3)", lambda: jnp.triu_indices(3))
look("jnp.tril_indices(3,k=-1)", lambda: jnp.tril_indices(3, k=-1))
look("jnp.diag_indices(3)", lambda: jnp.diag_indices(3))
look("jnp.argwhere(x>0)", lambda x: jnp.argwhere(x > 0), x)
look("jnp.top_k(x,2)", lambda x: jnp.top_k(x, 2), x)
look("jnp.top_k(i,1,mode='smallest')", lambda i: jnp.top_k(i, 1, mode="smallest"), i)
look("jnp.unravel_index(k,(2,3))", lambda k: jnp.unravel_index(k, (2, 3)), k)
look("jnp.ix_(i,j)", lambda i, j: jnp.ix_(i, j), i, j)
look("x[jnp.s_[1:]]", lambda x: x[jnp.s_[1:]], x)
look("x[:,jnp.newaxis]", lambda x: x[:, jnp.newaxis], x)
look("x.at[0]", lambda x: x.at[0], x)
