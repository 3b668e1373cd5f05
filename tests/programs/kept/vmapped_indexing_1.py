"""The library under vmap: indexing, gathering, updating in place and choosing.

Each expression runs under vmap, eagerly; its jaxprs are looked at for several ways to map."""

import re

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

x = jnp.asarray(np.array([0.5, -1.25, 2.0], "f4"))
i = jnp.asarray(np.array([3, -4, 5], "i4"))
u = jnp.asarray(np.array([3, 4, 5], "u4"))
b = jnp.asarray(np.array([True, False, True]))
m = jnp.asarray(np.arange(6, dtype="f4").reshape(2, 3))
s = jnp.asarray(1.5)
k = jnp.asarray(1)
q = jnp.asarray(np.arange(24, dtype="f4").reshape(2, 3, 4))
npi = np.array([1, 2, 0])


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


look("jnp.where(x>0,x,0)", lambda x: jnp.where(x > 0, x, 0), x)
look("jnp.where(b,1,2.5)", lambda b: jnp.where(b, 1, 2.5), b)
look("jnp.clip(x,0,1)", lambda x: jnp.clip(x, 0, 1), x)
look("jnp.clip(x,-1)", lambda x: jnp.clip(x, -1), x)
look("x[0]", lambda x: x[0], x)
look("x[-1]", lambda x: x[-1], x)
look("x[1:]", lambda x: x[1:], x)
look("x[::2]", lambda x: x[::2], x)
look("x[::-1]", lambda x: x[::-1], x)
look("x[:0]", lambda x: x[:0], x)
look("x[None]", lambda x: x[None], x)
look("x[...]", lambda x: x[...], x)
look("x[5]", lambda x: x[5], x)
look("m[0]", lambda m: m[0], m)
look("m[:,1]", lambda m: m[:, 1], m)
look("m[0,1]", lambda m: m[0, 1], m)
look("m[...,None]", lambda m: m[..., None], m)
look("m[0:1,1:]", lambda m: m[0:1, 1:], m)
look("m[::-1,::2]", lambda m: m[::-1, ::2], m)
look("x[k]", lambda x, k: x[k], x, k)
look("m[k]", lambda m, k: m[k], m, k)
look("m[k,0]", lambda m, k: m[k, 0], m, k)
look("m[:,k]", lambda m, k: m[:, k], m, k)
look("m[0:1,k]", lambda m, k: m[0:1, k], m, k)
look("m[1,k]", lambda m, k: m[1, k], m, k)
look("x[npi]", lambda x: x[npi], x)
look("x[jnp.array([0,2])]", lambda x: x[jnp.array([0, 2])], x)
look("m[jnp.array([0,1]),1]", lambda m: m[jnp.array([0, 1]), 1], m)
look("m[jnp.array([0,1]),jnp.array([1,2])]", lambda m: m[jnp.array([0, 1]), jnp.array([1, 2])], m)
look("m[:,jnp.array([0,2])]", lambda m: m[:, jnp.array([0, 2])], m)
look("m[jnp.array([[0,1],[1,0]])]", lambda m: m[jnp.array([[0, 1], [1, 0]])], m)
look(
    "q[jnp.array([0,1]),:,jnp.array([0,1])]",
    lambda q: q[jnp.array([0, 1]), :, jnp.array([0, 1])],
    q,
)
look("q[:,jnp.array([0,1])]", lambda q: q[:, jnp.array([0, 1])], q)
look("q[:,jnp.array([0,1]),None]", lambda q: q[:, jnp.array([0, 1]), None], q)
look("x[x>0]", lambda x: x[x > 0], x)
look("x[b]", lambda x, b: x[b], x, b)
look("x[np.array([True,False,True])]", lambda x: x[np.array([True, False, True])], x)
look("m[np.array([True,False])]", lambda m: m[np.array([True, False])], m)
look("m[m>2]", lambda m: m[m > 2], m)
look("x[True]", lambda x: x[True], x)
look("x[False]", lambda x: x[False], x)
look("x[[0,1]]", lambda x: x[[0, 1]], x)
look("x[(np.array([0,1]),)]", lambda x: x[(np.array([0, 1]),)], x)
look("m[[0,1],[1,2]]", lambda m: m[[0, 1], [1, 2]], m)
look("x[1.0]", lambda x: x[1.0], x)
look("x['a']", lambda x: x["a"], x)
look("x[0,0]", lambda x: x[0, 0], x)
look("m[0,0,0]", lambda m: m[0, 0, 0], m)
look("x[u]", lambda x, u: x[u], x, u)
look("x[np.int32(1)]", lambda x: x[np.int32(1)], x)
look("x[np.int64(-1)]", lambda x: x[np.int64(-1)], x)
look("x[np.array(1)]", lambda x: x[np.array(1)], x)
look("x[jnp.array(1,dtype='uint8')]", lambda x: x[jnp.array(1, dtype="uint8")], x)
look("m[0:2:2]", lambda m: m[0:2:2], m)
look("q[0,...,1]", lambda q: q[0, ..., 1], q)
look("q[...,1:3]", lambda q: q[..., 1:3], q)
look("q[1,:,::2]", lambda q: q[1, :, ::2], q)
look("x[s]", lambda x, s: x[s], x, s)
look("x[k:]", lambda x, k: x[k:], x, k)
look("x[:k]", lambda x, k: x[:k], x, k)
look("x.at[0].set(1)", lambda x: x.at[0].set(1), x)
look("x.at[0].set(1.5)", lambda x: x.at[0].set(1.5), x)
look("i.at[1].set(2)", lambda i: i.at[1].set(2), i)
look("i.at[1].set(2.5)", lambda i: i.at[1].set(2.5), i)
look("x.at[0].add(1)", lambda x: x.at[0].add(1), x)
look("x.at[1:].set(0)", lambda x: x.at[1:].set(0), x)
look("x.at[1:].multiply(2)", lambda x: x.at[1:].multiply(2), x)
look(
    "x.at[jnp.array([0,1])].set(jnp.array([5.,6.]))",
    lambda x: x.at[jnp.array([0, 1])].set(jnp.array([5.0, 6.0])),
    x,
)
look("x.at[jnp.array([0,0])].add(1)", lambda x: x.at[jnp.array([0, 0])].add(1), x)
look("m.at[0].set(1)", lambda m: m.at[0].set(1), m)
