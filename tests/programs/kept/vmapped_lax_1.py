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
j = jnp.asarray(np.array([2, 3, -2], "i4"))
b = jnp.asarray(np.array([True, False, True]))
m = jnp.asarray(np.arange(6, dtype="f4").reshape(2, 3))
s = jnp.asarray(1.5)
k = jnp.asarray(1)
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


look("lax.sin(x)", lambda x: lax.sin(x), x)
look("lax.cos(x)", lambda x: lax.cos(x), x)
look("lax.exp(i)", lambda i: lax.exp(i), i)
look("lax.add(x,y)", lambda x, y: lax.add(x, y), x, y)
look("lax.add(x,1.0)", lambda x: lax.add(x, 1.0), x)
look("lax.add(x,1)", lambda x: lax.add(x, 1), x)
look("lax.add(1,2)", lambda: lax.add(1, 2))
look("lax.add(x,i)", lambda x, i: lax.add(x, i), x, i)
look("lax.add(x,m)", lambda x, m: lax.add(x, m), x, m)
look("lax.mul(x,2.0)", lambda x: lax.mul(x, 2.0), x)
look("lax.sub(x,npx)", lambda x: lax.sub(x, npx), x)
look("lax.div(i,j)", lambda i, j: lax.div(i, j), i, j)
look("lax.rem(x,y)", lambda x, y: lax.rem(x, y), x, y)
look("lax.pow(x,y)", lambda x, y: lax.pow(x, y), x, y)
look("lax.pow(x,2)", lambda x: lax.pow(x, 2), x)
look("lax.max(x,0.)", lambda x: lax.max(x, 0.0), x)
look("lax.abs(x)", lambda x: lax.abs(x), x)
look("lax.sqrt(x)", lambda x: lax.sqrt(x), x)
look("lax.rsqrt(x)", lambda x: lax.rsqrt(x), x)
look("lax.tanh(x)", lambda x: lax.tanh(x), x)
look("lax.logistic(x)", lambda x: lax.logistic(x), x)
look("lax.erf(x)", lambda x: lax.erf(x), x)
look("lax.sign(x)", lambda x: lax.sign(x), x)
look("lax.floor(x)", lambda x: lax.floor(x), x)
look("lax.round(x)", lambda x: lax.round(x), x)
look("lax.is_finite(x)", lambda x: lax.is_finite(x), x)
look("lax.integer_pow(x,3)", lambda x: lax.integer_pow(x, 3), x)
look("lax.square(x)", lambda x: lax.square(x), x)
look("lax.reciprocal(x)", lambda x: lax.reciprocal(x), x)
look("lax.eq(x,y)", lambda x, y: lax.eq(x, y), x, y)
look("lax.lt(x,0.)", lambda x: lax.lt(x, 0.0), x)
look("lax.bitwise_and(i,j)", lambda i, j: lax.bitwise_and(i, j), i, j)
look("lax.bitwise_not(b)", lambda b: lax.bitwise_not(b), b)
look("lax.shift_left(i,j)", lambda i, j: lax.shift_left(i, j), i, j)
look("lax.select(b,x,y)", lambda x, y, b: lax.select(b, x, y), x, y, b)
look("lax.select(x,x,y)", lambda x, y: lax.select(x, x, y), x, y)
look("lax.select_n(i,x,y)", lambda x, y, i: lax.select_n(i, x, y), x, y, i)
look("lax.clamp(0.,x,1.)", lambda x: lax.clamp(0.0, x, 1.0), x)
look("lax.convert_element_type(x,'int32')", lambda x: lax.convert_element_type(x, "int32"), x)
look("lax.convert_element_type(x,'float32')", lambda x: lax.convert_element_type(x, "float32"), x)
look("lax.convert_element_type(1,'float32')", lambda: lax.convert_element_type(1, "float32"))
look("lax.convert_element_type(1.5,int)", lambda: lax.convert_element_type(1.5, int))
look("lax.convert_element_type(x,'float64')", lambda x: lax.convert_element_type(x, "float64"), x)
look(
    "lax.convert_element_type(s,jnp.float32)", lambda s: lax.convert_element_type(s, jnp.float32), s
)
look("lax.bitcast_convert_type(x,'int32')", lambda x: lax.bitcast_convert_type(x, "int32"), x)
look("lax.broadcast(x,(2,))", lambda x: lax.broadcast(x, (2,)), x)
look("lax.broadcast(1.,(2,))", lambda: lax.broadcast(1.0, (2,)))
look("lax.broadcast_in_dim(x,(2,3),(1,))", lambda x: lax.broadcast_in_dim(x, (2, 3), (1,)), x)
look("lax.broadcast_in_dim(x,(3,),(0,))", lambda x: lax.broadcast_in_dim(x, (3,), (0,)), x)
look("lax.reshape(m,(3,2))", lambda m: lax.reshape(m, (3, 2)), m)
look("lax.reshape(m,(6,))", lambda m: lax.reshape(m, (6,)), m)
look("lax.reshape(m,(2,3))", lambda m: lax.reshape(m, (2, 3)), m)
look("lax.reshape(m,(6,),dimensions=(1,0))", lambda m: lax.reshape(m, (6,), dimensions=(1, 0)), m)
look("lax.transpose(m,(1,0))", lambda m: lax.transpose(m, (1, 0)), m)
look("lax.squeeze(m,(0,))", lambda m: lax.squeeze(m, (0,)), m)
look("lax.squeeze(m[None],(0,))", lambda m: lax.squeeze(m[None], (0,)), m)
look("lax.expand_dims(x,(0,))", lambda x: lax.expand_dims(x, (0,)), x)
look("lax.rev(x,(0,))", lambda x: lax.rev(x, (0,)), x)
look("lax.collapse(q,0,2)", lambda q: lax.collapse(q, 0, 2), q)
look("lax.full((2,),1)", lambda: lax.full((2,), 1))
look("lax.full((2,),1,'float32')", lambda: lax.full((2,), 1, "float32"))
look("lax.full_like(x,2)", lambda x: lax.full_like(x, 2), x)
look("lax.iota('int32',4)", lambda: lax.iota("int32", 4))
look("lax.broadcasted_iota('float32',(2,3),1)", lambda: lax.broadcasted_iota("float32", (2, 3), 1))
look("lax.slice(x,(0,),(2,))", lambda x: lax.slice(x, (0,), (2,)), x)
look("lax.slice(x,(0,),(3,),(2,))", lambda x: lax.slice(x, (0,), (3,), (2,)), x)
look("lax.slice_in_dim(m,0,1,axis=1)", lambda m: lax.slice_in_dim(m, 0, 1, axis=1), m)
look("lax.index_in_dim(m,0)", lambda m: lax.index_in_dim(m, 0), m)
look("lax.dynamic_slice(x,(1,),(2,))", lambda x: lax.dynamic_slice(x, (1,), (2,)), x)
look("lax.dynamic_slice(x,(k,),(2,))", lambda x, k: lax.dynamic_slice(x, (k,), (2,)), x, k)
