"""The library under vmap: products of matrices and vectors, triangles and diagonals.

Each expression runs under vmap, eagerly; its jaxprs are looked at for several ways to map."""

import re

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

x = jnp.asarray(np.array([0.5, -1.25, 2.0], "f4"))
y = jnp.asarray(np.array([2.0, 0.5, -3.0], "f4"))
i = jnp.asarray(np.array([3, -4, 5], "i4"))
m = jnp.asarray(np.arange(6, dtype="f4").reshape(2, 3))
n = jnp.asarray(np.arange(12, dtype="f4").reshape(3, 4))
z = jnp.asarray(np.array([1 + 2j, 3 - 1j], "c8"))
s = jnp.asarray(1.5)


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


look("x@y", lambda x, y: x @ y, x, y)
look("m@n", lambda m, n: m @ n, m, n)
look("jnp.tril(n)", lambda n: jnp.tril(n), n)
look("jnp.triu(m,k=1)", lambda m: jnp.triu(m, k=1), m)
look("jnp.diag(x)", lambda x: jnp.diag(x), x)
look("jnp.diag(x,k=1)", lambda x: jnp.diag(x, k=1), x)
look("jnp.diag(m)", lambda m: jnp.diag(m), m)
look("jnp.trace(m)", lambda m: jnp.trace(m), m)
look("jnp.dot(x,y)", lambda x, y: jnp.dot(x, y), x, y)
look("jnp.dot(m,x)", lambda x, m: jnp.dot(m, x), x, m)
look("jnp.dot(m,n)", lambda m, n: jnp.dot(m, n), m, n)
look("jnp.dot(x,2)", lambda x: jnp.dot(x, 2), x)
look("jnp.dot(i,x)", lambda x, i: jnp.dot(i, x), x, i)
look("jnp.dot(m,m)", lambda m: jnp.dot(m, m), m)
look("m@x", lambda x, m: m @ x, x, m)
look("x@m", lambda x, m: x @ m, x, m)
look("i@i", lambda i: i @ i, i)
look("jnp.matmul(x,s)", lambda x, s: jnp.matmul(x, s), x, s)
look("jnp.vdot(x,y)", lambda x, y: jnp.vdot(x, y), x, y)
look("jnp.vdot(z,z)", lambda z: jnp.vdot(z, z), z)
look("jnp.inner(x,y)", lambda x, y: jnp.inner(x, y), x, y)
look("jnp.outer(x,i)", lambda x, i: jnp.outer(x, i), x, i)
look("jnp.tensordot(m,n,axes=1)", lambda m, n: jnp.tensordot(m, n, axes=1), m, n)
look(
    "jnp.tensordot(m,m,axes=([0,1],[0,1]))", lambda m: jnp.tensordot(m, m, axes=([0, 1], [0, 1])), m
)
look("jnp.einsum('i,i->',x,y)", lambda x, y: jnp.einsum("i,i->", x, y), x, y)
look("jnp.einsum('ij,jk->ik',m,n)", lambda m, n: jnp.einsum("ij,jk->ik", m, n), m, n)
look("jnp.einsum('ij,jk',m,n)", lambda m, n: jnp.einsum("ij,jk", m, n), m, n)
look("jnp.einsum('ij->i',m)", lambda m: jnp.einsum("ij->i", m), m)
look("jnp.einsum('ij->ji',m)", lambda m: jnp.einsum("ij->ji", m), m)
look("jnp.einsum('i,j->ij',x,y)", lambda x, y: jnp.einsum("i,j->ij", x, y), x, y)
look("jnp.einsum('ij,kj->ki',m,m)", lambda m: jnp.einsum("ij,kj->ki", m, m), m)
look("jnp.dot(m,n,precision='highest')", lambda m, n: jnp.dot(m, n, precision="highest"), m, n)
look(
    "jnp.dot(m,n,preferred_element_type='float32')",
    lambda m, n: jnp.dot(m, n, preferred_element_type="float32"),
    m,
    n,
)
look("jnp.linalg.norm(x)", lambda x: jnp.linalg.norm(x), x)
look("jnp.linalg.norm(m,axis=1)", lambda m: jnp.linalg.norm(m, axis=1), m)
look("jnp.linalg.norm(m,ord=1)", lambda m: jnp.linalg.norm(m, ord=1), m)
look("jnp.linalg.norm(x,ord=1)", lambda x: jnp.linalg.norm(x, ord=1), x)
look("jnp.linalg.norm(x,ord=3)", lambda x: jnp.linalg.norm(x, ord=3), x)
look("jnp.linalg.norm(i)", lambda i: jnp.linalg.norm(i), i)
look("x@2", lambda x: x @ 2, x)
look("jnp.cross(x,y)", lambda x, y: jnp.cross(x, y), x, y)
look("jnp.cross(m,m)", lambda m: jnp.cross(m, m), m)
look("jnp.kron(x,y)", lambda x, y: jnp.kron(x, y), x, y)
look("jnp.kron(m,x)", lambda x, m: jnp.kron(m, x), x, m)
look("jnp.vander(x)", lambda x: jnp.vander(x), x)
look("jnp.vander(x,N=2,increasing=True)", lambda x: jnp.vander(x, N=2, increasing=True), x)
