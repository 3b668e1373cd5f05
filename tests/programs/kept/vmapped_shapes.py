"""The library under vmap: shapes: reshaping, joining, splitting, padding.

Each expression runs under vmap, eagerly; its jaxprs are looked at for several ways to map."""

import re

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

x = jnp.asarray(np.array([0.5, -1.25, 2.0], "f4"))
y = jnp.asarray(np.array([2.0, 0.5, -3.0], "f4"))
i = jnp.asarray(np.array([3, -4, 5], "i4"))
b = jnp.asarray(np.array([True, False, True]))
m = jnp.asarray(np.arange(6, dtype="f4").reshape(2, 3))
z = jnp.asarray(np.array([1 + 2j, 3 - 1j], "c8"))
s = jnp.asarray(1.5)
q = jnp.asarray(np.arange(24, dtype="f4").reshape(2, 3, 4))
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


look("jnp.concatenate([x,y])", lambda x, y: jnp.concatenate([x, y]), x, y)
look("jnp.concatenate([x,i])", lambda x, i: jnp.concatenate([x, i]), x, i)
look("jnp.concatenate([m,m],axis=1)", lambda m: jnp.concatenate([m, m], axis=1), m)
look("jnp.concatenate([m,m],axis=None)", lambda m: jnp.concatenate([m, m], axis=None), m)
look("jnp.concatenate([x,npx])", lambda x: jnp.concatenate([x, npx]), x)
look("jnp.concatenate([x],axis=0)", lambda x: jnp.concatenate([x], axis=0), x)
look("jnp.concatenate([])", lambda: jnp.concatenate([]))
look("jnp.concatenate([x,m])", lambda x, m: jnp.concatenate([x, m]), x, m)
look("jnp.concatenate(m)", lambda m: jnp.concatenate(m), m)
look("jnp.stack([x,y])", lambda x, y: jnp.stack([x, y]), x, y)
look("jnp.stack([x,i],axis=1)", lambda x, i: jnp.stack([x, i], axis=1), x, i)
look("jnp.stack([x,1])", lambda x: jnp.stack([x, 1]), x)
look("jnp.vstack([x,y])", lambda x, y: jnp.vstack([x, y]), x, y)
look("jnp.hstack([x,y])", lambda x, y: jnp.hstack([x, y]), x, y)
look("jnp.dstack([x,y])", lambda x, y: jnp.dstack([x, y]), x, y)
look("jnp.column_stack([x,y])", lambda x, y: jnp.column_stack([x, y]), x, y)
look("jnp.split(x,3)", lambda x: jnp.split(x, 3), x)
look("jnp.split(q,[1,2],axis=1)", lambda q: jnp.split(q, [1, 2], axis=1), q)
look("jnp.hsplit(m,3)", lambda m: jnp.hsplit(m, 3), m)
look("jnp.append(x,y)", lambda x, y: jnp.append(x, y), x, y)
look("jnp.append(x,1)", lambda x: jnp.append(x, 1), x)
look("jnp.reshape(m,(3,2))", lambda m: jnp.reshape(m, (3, 2)), m)
look("m.reshape(-1)", lambda m: m.reshape(-1), m)
look("m.reshape(3,2)", lambda m: m.reshape(3, 2), m)
look("m.reshape((6,))", lambda m: m.reshape((6,)), m)
look("m.reshape(2,3)", lambda m: m.reshape(2, 3), m)
look("m.reshape(4,2)", lambda m: m.reshape(4, 2), m)
look("m.reshape(-1,4)", lambda m: m.reshape(-1, 4), m)
look("m.reshape(3,-1,order='F')", lambda m: m.reshape(3, -1, order="F"), m)
look("m.ravel()", lambda m: m.ravel(), m)
look("x.ravel()", lambda x: x.ravel(), x)
look("m.flatten()", lambda m: m.flatten(), m)
look("m.T", lambda m: m.T, m)
look("x.T", lambda x: x.T, x)
look("q.T", lambda q: q.T, q)
look("jnp.transpose(q,(1,0,2))", lambda q: jnp.transpose(q, (1, 0, 2)), q)
look("q.transpose(2,0,1)", lambda q: q.transpose(2, 0, 1), q)
look("jnp.expand_dims(x,0)", lambda x: jnp.expand_dims(x, 0), x)
look("jnp.expand_dims(m,(0,2))", lambda m: jnp.expand_dims(m, (0, 2)), m)
look("jnp.swapaxes(q,0,1)", lambda q: jnp.swapaxes(q, 0, 1), q)
look("jnp.moveaxis(q,0,-1)", lambda q: jnp.moveaxis(q, 0, -1), q)
look("jnp.flip(x)", lambda x: jnp.flip(x), x)
look("jnp.flip(m,axis=1)", lambda m: jnp.flip(m, axis=1), m)
look("jnp.fliplr(m)", lambda m: jnp.fliplr(m), m)
look("jnp.rot90(m)", lambda m: jnp.rot90(m), m)
look("jnp.roll(x,1)", lambda x: jnp.roll(x, 1), x)
look("jnp.roll(m,1,axis=0)", lambda m: jnp.roll(m, 1, axis=0), m)
look("jnp.roll(m,(1,2),axis=(0,1))", lambda m: jnp.roll(m, (1, 2), axis=(0, 1)), m)
look("jnp.tile(x,2)", lambda x: jnp.tile(x, 2), x)
look("jnp.tile(x,(2,1))", lambda x: jnp.tile(x, (2, 1)), x)
look("jnp.repeat(x,2)", lambda x: jnp.repeat(x, 2), x)
look("jnp.repeat(m,2,axis=1)", lambda m: jnp.repeat(m, 2, axis=1), m)
look("jnp.pad(x,1)", lambda x: jnp.pad(x, 1), x)
look("jnp.pad(m,((1,0),(0,2)))", lambda m: jnp.pad(m, ((1, 0), (0, 2))), m)
look("jnp.pad(x,(1,2),constant_values=3)", lambda x: jnp.pad(x, (1, 2), constant_values=3), x)
look("jnp.pad(i,1,mode='wrap')", lambda i: jnp.pad(i, 1, mode="wrap"), i)
look(
    "jnp.pad(x,(1,1),constant_values=(1,2))",
    lambda x: jnp.pad(x, (1, 1), constant_values=(1, 2)),
    x,
)
look("jnp.broadcast_to(x,(2,3))", lambda x: jnp.broadcast_to(x, (2, 3)), x)
look("jnp.broadcast_to(x,(3,2))", lambda x: jnp.broadcast_to(x, (3, 2)), x)
look("jnp.broadcast_to(1,(2,))", lambda: jnp.broadcast_to(1, (2,)))
look("jnp.broadcast_arrays(x,m)", lambda x, m: jnp.broadcast_arrays(x, m), x, m)
look("jnp.broadcast_shapes((2,1),(3,))", lambda: jnp.broadcast_shapes((2, 1), (3,)))
look("jnp.atleast_1d(s)", lambda s: jnp.atleast_1d(s), s)
look("jnp.atleast_2d(x)", lambda x: jnp.atleast_2d(x), x)
look("jnp.atleast_3d(x)", lambda x: jnp.atleast_3d(x), x)
look("jnp.astype(x,'int32')", lambda x: jnp.astype(x, "int32"), x)
look("x.astype(int)", lambda x: x.astype(int), x)
look("x.astype('float32')", lambda x: x.astype("float32"), x)
look("i.astype(float)", lambda i: i.astype(float), i)
look("x.astype(bool)", lambda x: x.astype(bool), x)
look("b.astype('float16')", lambda b: b.astype("float16"), b)
look("z.astype('float32')", lambda z: z.astype("float32"), z)
look("jnp.matmul(q,q.swapaxes(1,2))", lambda q: jnp.matmul(q, q.swapaxes(1, 2)), q)
look(
    "jnp.einsum('bij,bjk->bik',q,q.swapaxes(1,2))",
    lambda q: jnp.einsum("bij,bjk->bik", q, q.swapaxes(1, 2)),
    q,
)
look("jnp.pad(x,1.5)", lambda x: jnp.pad(x, 1.5), x)
look("jnp.pad(i,(2,1),mode='wrap')", lambda i: jnp.pad(i, (2, 1), mode="wrap"), i)
look("jnp.pad(x,(0,-1))", lambda x: jnp.pad(x, (0, -1)), x)
look("x.T@x", lambda x: x.T @ x, x)
look("jnp.rollaxis(q,2)", lambda q: jnp.rollaxis(q, 2), q)
look("jnp.resize(x,(2,2))", lambda x: jnp.resize(x, (2, 2)), x)
look("jnp.reshape(x)", lambda x: jnp.reshape(x), x)
