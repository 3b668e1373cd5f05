"""The library: elementwise functions and operators, with promotion of types.

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
i8 = jnp.asarray(np.array([3, -4], "i1"))
z = jnp.asarray(np.array([1 + 2j, 3 - 1j], "c8"))
s = jnp.asarray(1.5)
k = jnp.asarray(1)


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


look("i8+1", lambda i8: i8 + 1, i8)
look("i8+1.5", lambda i8: i8 + 1.5, i8)
look("u+i", lambda i, u: u + i, i, u)
look("u+1", lambda u: u + 1, u)
look("b+b", lambda b: b + b, b)
look("b*2", lambda b: b * 2, b)
look("z*2", lambda z: z * 2, z)
look("z+x", lambda x, z: z + x, x, z)
look("s+s", lambda s: s + s, s)
look("k+1", lambda k: k + 1, k)
look("k*s", lambda s, k: k * s, s, k)
look("x**-1", lambda x: x**-1, x)
look("x**i", lambda x, i: x**i, x, i)
look("i**-1", lambda i: i**-1, i)
look("i**2", lambda i: i**2, i)
look("2.0**i", lambda i: 2.0**i, i)
look("x**k", lambda x, k: x**k, x, k)
look("jnp.iscomplex(x)", lambda x: jnp.iscomplex(x), x)
look("jnp.isreal(z)", lambda z: jnp.isreal(z), z)
look("jnp.angle(z)", lambda z: jnp.angle(z), z)
look("jnp.angle(x,deg=True)", lambda x: jnp.angle(x, deg=True), x)
look("jnp.float32==np.float32", lambda: jnp.float32 == np.float32)
look("x.dtype==jnp.float32", lambda x: x.dtype == jnp.float32, x)
look("jnp.pi*x", lambda x: jnp.pi * x, x)
look("f'{s}'", lambda: f"{s}")
look("{x:1}", lambda x: {x: 1}, x)
look("jnp.foo", lambda: jnp.foo)
look("jnp.sin", lambda: jnp.sin)
look("jnp.add", lambda: jnp.add)
look("jnp.float32", lambda: jnp.float32)
look("jnp.bool", lambda: jnp.bool)
look("x.foo", lambda x: x.foo, x)
look("jnp.sin(x,y)", lambda x, y: jnp.sin(x, y), x, y)
