"""The library under vmap: elementwise functions and operators, with promotion of types.

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
u = jnp.asarray(np.array([3, 4, 5], "u4"))
b = jnp.asarray(np.array([True, False, True]))
z = jnp.asarray(np.array([1 + 2j, 3 - 1j], "c8"))
s = jnp.asarray(1.5)
k = jnp.asarray(1)


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


look("jnp.sin(x)", lambda x: jnp.sin(x), x)
look("x+1", lambda x: x + 1, x)
look("x*y", lambda x, y: x * y, x, y)
look("x-2.5", lambda x: x - 2.5, x)
look("2/x", lambda x: 2 / x, x)
look("x/y", lambda x, y: x / y, x, y)
look("i+x", lambda x, i: i + x, x, i)
look("x**2", lambda x: x**2, x)
look("x**0.5", lambda x: x**0.5, x)
look("2**x", lambda x: 2**x, x)
look("i**j", lambda i, j: i**j, i, j)
look("i%2", lambda i: i % 2, i)
look("x%y", lambda x, y: x % y, x, y)
look("i//j", lambda i, j: i // j, i, j)
look("x//y", lambda x, y: x // y, x, y)
look("x>0", lambda x: x > 0, x)
look("x==y", lambda x, y: x == y, x, y)
look("b&b", lambda b: b & b, b)
look("b|True", lambda b: b | True, b)
look("i<<1", lambda i: i << 1, i)
look("i>>1", lambda i: i >> 1, i)
look("z.real", lambda z: z.real, z)
look("z.imag", lambda z: z.imag, z)
look("x.real", lambda x: x.real, x)
look("x.sort()", lambda x: x.sort(), x)
look("x.argsort()", lambda x: x.argsort(), x)
look("jnp.exp(x)", lambda x: jnp.exp(x), x)
look("jnp.log(x)", lambda x: jnp.log(x), x)
look("jnp.sqrt(i)", lambda i: jnp.sqrt(i), i)
look("jnp.tanh(x)", lambda x: jnp.tanh(x), x)
look("jnp.arctan2(x,y)", lambda x, y: jnp.arctan2(x, y), x, y)
look("jnp.abs(x)", lambda x: jnp.abs(x), x)
look("jnp.sign(x)", lambda x: jnp.sign(x), x)
look("jnp.floor(x)", lambda x: jnp.floor(x), x)
look("jnp.ceil(i)", lambda i: jnp.ceil(i), i)
look("jnp.trunc(x)", lambda x: jnp.trunc(x), x)
look("jnp.rint(x)", lambda x: jnp.rint(x), x)
look("jnp.rint(i)", lambda i: jnp.rint(i), i)
look("jnp.round(x)", lambda x: jnp.round(x), x)
look("jnp.round(x,2)", lambda x: jnp.round(x, 2), x)
look("jnp.round(i)", lambda i: jnp.round(i), i)
look("round(s)", lambda s: round(s), s)
look("round(s,1)", lambda s: round(s, 1), s)
look("jnp.square(x)", lambda x: jnp.square(x), x)
look("jnp.square(i)", lambda i: jnp.square(i), i)
look("jnp.reciprocal(x)", lambda x: jnp.reciprocal(x), x)
look("jnp.log2(x)", lambda x: jnp.log2(x), x)
look("jnp.log10(x)", lambda x: jnp.log10(x), x)
look("jnp.exp2(x)", lambda x: jnp.exp2(x), x)
look("jnp.deg2rad(x)", lambda x: jnp.deg2rad(x), x)
look("jnp.degrees(x)", lambda x: jnp.degrees(x), x)
look("jnp.power(x,2)", lambda x: jnp.power(x, 2), x)
look("jnp.power(x,2.0)", lambda x: jnp.power(x, 2.0), x)
look("jnp.power(i,2)", lambda i: jnp.power(i, 2), i)
look("jnp.power(2,i)", lambda i: jnp.power(2, i), i)
look("jnp.power(x,i)", lambda x, i: jnp.power(x, i), x, i)
look("jnp.power(x,k)", lambda x, k: jnp.power(x, k), x, k)
look("jnp.mod(x,2)", lambda x: jnp.mod(x, 2), x)
look("jnp.fmod(i,2)", lambda i: jnp.fmod(i, 2), i)
look("jnp.fmod(x,y)", lambda x, y: jnp.fmod(x, y), x, y)
look("jnp.divmod(x,y)", lambda x, y: jnp.divmod(x, y), x, y)
look("divmod(i,2)", lambda i: divmod(i, 2), i)
look("jnp.remainder(u,u)", lambda u: jnp.remainder(u, u), u)
look("jnp.floor_divide(u,2)", lambda u: jnp.floor_divide(u, 2), u)
look("jnp.true_divide(i,2)", lambda i: jnp.true_divide(i, 2), i)
look("jnp.equal(x,y)", lambda x, y: jnp.equal(x, y), x, y)
look("jnp.less(x,1)", lambda x: jnp.less(x, 1), x)
look("jnp.greater_equal(z,z)", lambda z: jnp.greater_equal(z, z), z)
look("jnp.logical_and(x,b)", lambda x, b: jnp.logical_and(x, b), x, b)
look("jnp.logical_or(b,b)", lambda b: jnp.logical_or(b, b), b)
