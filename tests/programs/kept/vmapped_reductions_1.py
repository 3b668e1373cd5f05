"""The library under vmap: reductions, statistics and running sums.

Each expression runs under vmap, eagerly; its jaxprs are looked at for several ways to map."""

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
h = jnp.asarray(np.array([1.5, 2.5], "f2"))
bf = jnp.asarray(np.array([1.5, 2.5], "f4")).astype("bfloat16")
i8 = jnp.asarray(np.array([3, -4], "i1"))
z = jnp.asarray(np.array([1 + 2j, 3 - 1j], "c8"))
npx = np.array([1.0, 2.0, 3.0], "f4")


def jaxpr(f, *args):
    try:
        return str(jax.make_jaxpr(f)(*args))
    except Exception as error:
        first = (str(error).splitlines() or [""])[0]
        return f"{type(error).__name__}: {re.sub(' at [^ ]+:[0-9]+', '', first)}"


def wide(a, axis):
    return jnp.stack([a, a], axis)


def look(text, f, *args):
    if not args:
        return
    front, back = [wide(a, 0) for a in args], [wide(a, -1) for a in args]
    call(f"vmap of {text}", lambda: jax.vmap(f)(*front))
    note(f"jaxpr of {text}", jaxpr(jax.vmap(f), *front))
    note(f"last axis: {text}", jaxpr(jax.vmap(f, -1, -1), *back))
    if len(args) > 1:
        axes = (0, *[None] * (len(args) - 1))
        note(f"first only: {text}", jaxpr(jax.vmap(f, axes), front[0], *args[1:]))
        axes = (*[None] * (len(args) - 1), 0)
        note(f"last only: {text}", jaxpr(jax.vmap(f, axes), *args[:-1], front[-1]))


look("x.sum()", lambda x: x.sum(), x)
look("i.sum()", lambda i: i.sum(), i)
look("b.sum()", lambda b: b.sum(), b)
look("h.sum()", lambda h: h.sum(), h)
look("x.mean()", lambda x: x.mean(), x)
look("i.mean()", lambda i: i.mean(), i)
look("h.mean()", lambda h: h.mean(), h)
look("x.max()", lambda x: x.max(), x)
look("x.min(axis=0)", lambda x: x.min(axis=0), x)
look("m.sum(axis=1)", lambda m: m.sum(axis=1), m)
look("m.sum(axis=(0,1),keepdims=True)", lambda m: m.sum(axis=(0, 1), keepdims=True), m)
look("m.mean(0)", lambda m: m.mean(0), m)
look("x.prod()", lambda x: x.prod(), x)
look("jnp.all(b)", lambda b: jnp.all(b), b)
look("jnp.any(x)", lambda x: jnp.any(x), x)
look("x.argmax()", lambda x: x.argmax(), x)
look("m.argmin(axis=1)", lambda m: m.argmin(axis=1), m)
look("x.std()", lambda x: x.std(), x)
look("m.var(axis=0)", lambda m: m.var(axis=0), m)
look("jnp.cumsum(x)", lambda x: jnp.cumsum(x), x)
look("jnp.cumprod(m,axis=1)", lambda m: jnp.cumprod(m, axis=1), m)
look("jnp.maximum(x,0)", lambda x: jnp.maximum(x, 0), x)
look("jnp.minimum(x,i)", lambda x, i: jnp.minimum(x, i), x, i)
look("jnp.allclose(x,y)", lambda x, y: jnp.allclose(x, y), x, y)
look("jnp.sum(x,dtype='int32')", lambda x: jnp.sum(x, dtype="int32"), x)
look("jnp.sum(m,axis=-1)", lambda m: jnp.sum(m, axis=-1), m)
look("jnp.sum(x,where=b)", lambda x, b: jnp.sum(x, where=b), x, b)
look("jnp.sum(x,initial=2)", lambda x: jnp.sum(x, initial=2), x)
look("jnp.sum(x,axis=1)", lambda x: jnp.sum(x, axis=1), x)
look("jnp.sum(m,axis=(0,0))", lambda m: jnp.sum(m, axis=(0, 0)), m)
look("jnp.sum([1,2])", lambda: jnp.sum([1, 2]))
look("jnp.sum(1.5)", lambda: jnp.sum(1.5))
look("jnp.sum(npx)", lambda: jnp.sum(npx))
look("jnp.sum(i8)", lambda i8: jnp.sum(i8), i8)
look("jnp.sum(u)", lambda u: jnp.sum(u), u)
look("jnp.sum(z)", lambda z: jnp.sum(z), z)
look("jnp.sum(bf)", lambda bf: jnp.sum(bf), bf)
look("jnp.prod(i)", lambda i: jnp.prod(i), i)
look("jnp.prod(b)", lambda b: jnp.prod(b), b)
look("jnp.max(jnp.zeros(0))", lambda: jnp.max(jnp.zeros(0)))
look("jnp.max(i,initial=0)", lambda i: jnp.max(i, initial=0), i)
look("jnp.max(x,where=b,initial=-1.)", lambda x, b: jnp.max(x, where=b, initial=-1.0), x, b)
look("jnp.max(x,where=b)", lambda x, b: jnp.max(x, where=b), x, b)
look("jnp.min(b)", lambda b: jnp.min(b), b)
look("jnp.all(x)", lambda x: jnp.all(x), x)
look("jnp.any(m,axis=0,keepdims=True)", lambda m: jnp.any(m, axis=0, keepdims=True), m)
look("jnp.mean(x,where=b)", lambda x, b: jnp.mean(x, where=b), x, b)
look("jnp.mean(m,axis=(0,1))", lambda m: jnp.mean(m, axis=(0, 1)), m)
look("jnp.mean(bf)", lambda bf: jnp.mean(bf), bf)
look("jnp.mean(b)", lambda b: jnp.mean(b), b)
look("jnp.var(i)", lambda i: jnp.var(i), i)
look("jnp.var(x,ddof=1)", lambda x: jnp.var(x, ddof=1), x)
look("jnp.std(m,axis=0,keepdims=True)", lambda m: jnp.std(m, axis=0, keepdims=True), m)
look("jnp.average(x)", lambda x: jnp.average(x), x)
look("jnp.average(x,weights=y)", lambda x, y: jnp.average(x, weights=y), x, y)
look("jnp.ptp(x)", lambda x: jnp.ptp(x), x)
look("jnp.count_nonzero(x)", lambda x: jnp.count_nonzero(x), x)
look("jnp.nansum(x)", lambda x: jnp.nansum(x), x)
look("jnp.nanmean(x)", lambda x: jnp.nanmean(x), x)
look("jnp.nanmax(x)", lambda x: jnp.nanmax(x), x)
look("jnp.cumsum(b)", lambda b: jnp.cumsum(b), b)
look("jnp.cumsum(m)", lambda m: jnp.cumsum(m), m)
look("x.cumsum()", lambda x: x.cumsum(), x)
look("jnp.cumprod(i)", lambda i: jnp.cumprod(i), i)
look("jnp.diff(x)", lambda x: jnp.diff(x), x)
look("jnp.diff(m,axis=0)", lambda m: jnp.diff(m, axis=0), m)
look("jnp.diff(x,n=2)", lambda x: jnp.diff(x, n=2), x)
look("jnp.bincount(u,length=6)", lambda u: jnp.bincount(u, length=6), u)
look("x.sum().mean()", lambda x: x.sum().mean(), x)
look("jnp.ediff1d(x)", lambda x: jnp.ediff1d(x), x)
