"""The library under vmap: functions of jax.lax.

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
n = jnp.asarray(np.arange(12, dtype="f4").reshape(3, 4))
z = jnp.asarray(np.array([1 + 2j, 3 - 1j], "c8"))
k = jnp.asarray(1)
q = jnp.asarray(np.arange(24, dtype="f4").reshape(2, 3, 4))
npd = np.array([1.0, 2.0, 3.0])


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


look("lax.dynamic_slice(m,(k,0),(1,2))", lambda m, k: lax.dynamic_slice(m, (k, 0), (1, 2)), m, k)
look("lax.dynamic_slice_in_dim(x,1,2)", lambda x: lax.dynamic_slice_in_dim(x, 1, 2), x)
look("lax.dynamic_slice_in_dim(x,k,2)", lambda x, k: lax.dynamic_slice_in_dim(x, k, 2), x, k)
look("lax.dynamic_index_in_dim(x,1)", lambda x: lax.dynamic_index_in_dim(x, 1), x)
look(
    "lax.dynamic_index_in_dim(m,k,keepdims=False)",
    lambda m, k: lax.dynamic_index_in_dim(m, k, keepdims=False),
    m,
    k,
)
look(
    "lax.dynamic_update_slice(x,jnp.array([9.]),(1,))",
    lambda x: lax.dynamic_update_slice(x, jnp.array([9.0]), (1,)),
    x,
)
look(
    "lax.dynamic_update_slice_in_dim(x,jnp.array([9.]),k,0)",
    lambda x, k: lax.dynamic_update_slice_in_dim(x, jnp.array([9.0]), k, 0),
    x,
    k,
)
look(
    "lax.dynamic_update_index_in_dim(x,9.,1,0)",
    lambda x: lax.dynamic_update_index_in_dim(x, 9.0, 1, 0),
    x,
)
look("lax.concatenate([x,y],0)", lambda x, y: lax.concatenate([x, y], 0), x, y)
look("lax.concatenate([x],0)", lambda x: lax.concatenate([x], 0), x)
look("lax.pad(x,0.,((1,1,0),))", lambda x: lax.pad(x, 0.0, ((1, 1, 0),)), x)
look("lax.pad(x,0,((1,1,0),))", lambda x: lax.pad(x, 0, ((1, 1, 0),)), x)
look("lax.reduce_sum(x,(0,))", lambda x: lax.reduce_sum(x, (0,)), x)
look("lax.reduce_max(m,(0,1))", lambda m: lax.reduce_max(m, (0, 1)), m)
look("lax.reduce_prod(x,axes=(0,))", lambda x: lax.reduce_prod(x, axes=(0,)), x)
look("lax.reduce_and(b,(0,))", lambda b: lax.reduce_and(b, (0,)), b)
look("lax.reduce(x,0.,lax.add,(0,))", lambda x: lax.reduce(x, 0.0, lax.add, (0,)), x)
look(
    "lax.reduce(x,np.float32(0),lax.add,(0,))",
    lambda x: lax.reduce(x, np.float32(0), lax.add, (0,)),
    x,
)
look(
    "lax.reduce(i,np.int32(1),lax.mul,(0,))", lambda i: lax.reduce(i, np.int32(1), lax.mul, (0,)), i
)
look("lax.reduce(x,-np.inf,lax.max,(0,))", lambda x: lax.reduce(x, -np.inf, lax.max, (0,)), x)
look("lax.argmax(x,0,'int32')", lambda x: lax.argmax(x, 0, "int32"), x)
look("lax.cumsum(x)", lambda x: lax.cumsum(x), x)
look("lax.cumsum(m,axis=1,reverse=True)", lambda m: lax.cumsum(m, axis=1, reverse=True), m)
look("lax.cummax(x)", lambda x: lax.cummax(x), x)
look("lax.sort(x)", lambda x: lax.sort(x), x)
look("lax.sort((x,y),num_keys=1)", lambda x, y: lax.sort((x, y), num_keys=1), x, y)
look("lax.sort_key_val(x,y)", lambda x, y: lax.sort_key_val(x, y), x, y)
look("lax.top_k(x,2)", lambda x: lax.top_k(x, 2), x)
look("lax.dot(x,y)", lambda x, y: lax.dot(x, y), x, y)
look("lax.dot(m,n)", lambda m, n: lax.dot(m, n), m, n)
look(
    "lax.dot_general(m,n,(((1,),(0,)),((),())))",
    lambda m, n: lax.dot_general(m, n, (((1,), (0,)), ((), ()))),
    m,
    n,
)
look("lax.dot(m,m)", lambda m: lax.dot(m, m), m)
look("lax.batch_matmul(q,q.swapaxes(1,2))", lambda q: lax.batch_matmul(q, q.swapaxes(1, 2)), q)
look("lax.stop_gradient(x)", lambda x: lax.stop_gradient(x), x)
look(
    "lax.gather(x,jnp.array([[0],[2]]),lax.GatherDimensionNumbers((),(0,),(0,)),(1,))",
    lambda x: lax.gather(
        x, jnp.array([[0], [2]]), lax.GatherDimensionNumbers((), (0,), (0,)), (1,)
    ),
    x,
)
look(
    "lax.scatter_add(x,jnp.array([[0]]),jnp.array([1.]),lax.ScatterDimensionNumbers((),(0,),(0,)))",
    lambda x: lax.scatter_add(
        x, jnp.array([[0]]), jnp.array([1.0]), lax.ScatterDimensionNumbers((), (0,), (0,))
    ),
    x,
)
look("lax.split(x,(1,2))", lambda x: lax.split(x, (1, 2)), x)
look("lax.stack([x,y])", lambda x, y: lax.stack([x, y]), x, y)
look("lax.optimization_barrier(x)", lambda x: lax.optimization_barrier(x), x)
look("lax.nextafter(x,y)", lambda x, y: lax.nextafter(x, y), x, y)
look("lax.complex(x,y)", lambda x, y: lax.complex(x, y), x, y)
look("lax.conj(z)", lambda z: lax.conj(z), z)
look("lax.real(z)", lambda z: lax.real(z), z)
look("lax.atan2(x,y)", lambda x, y: lax.atan2(x, y), x, y)
look("lax.erf_inv(x)", lambda x: lax.erf_inv(x), x)
look("lax.lgamma(x)", lambda x: lax.lgamma(x), x)
look("lax.population_count(i)", lambda i: lax.population_count(i), i)
look("lax.clz(i)", lambda i: lax.clz(i), i)
look("lax.tile(x,(2,))", lambda x: lax.tile(x, (2,)), x)
look("lax.reduce_precision(x,5,3)", lambda x: lax.reduce_precision(x, 5, 3), x)
look("lax.broadcast_shapes((2,1),(1,3))", lambda: lax.broadcast_shapes((2, 1), (1, 3)))
look("lax.broadcast_shapes((2,),(3,))", lambda: lax.broadcast_shapes((2,), (3,)))
look("lax.sin(1.0)", lambda: lax.sin(1.0))
look("lax.sin(1)", lambda: lax.sin(1))
look("lax.sin('a')", lambda: lax.sin("a"))
look("lax.sin(None)", lambda: lax.sin(None))
look("lax.sin([1.])", lambda: lax.sin([1.0]))
look("lax.sin(npd)", lambda: lax.sin(npd))
look("lax.add(x,None)", lambda x: lax.add(x, None), x)
look("lax.batch_matmul(x,x)", lambda x: lax.batch_matmul(x, x), x)
look("lax.stage(1.5)", lambda: lax.stage(1.5))
look("lax.exp2(x)", lambda x: lax.exp2(x), x)
look("lax.expm1(x)", lambda x: lax.expm1(x), x)
look("lax.top_k(m,1)", lambda m: lax.top_k(m, 1), m)
look("lax.square(i)", lambda i: lax.square(i), i)
