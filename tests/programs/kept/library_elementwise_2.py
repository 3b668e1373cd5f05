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
m = jnp.asarray(np.arange(6, dtype="f4").reshape(2, 3))
h = jnp.asarray(np.array([1.5, 2.5], "f2"))
bf = jnp.asarray(np.array([1.5, 2.5], "f4")).astype("bfloat16")
i8 = jnp.asarray(np.array([3, -4], "i1"))
z = jnp.asarray(np.array([1 + 2j, 3 - 1j], "c8"))
s = jnp.asarray(1.5)
k = jnp.asarray(1)
npx = np.array([1.0, 2.0, 3.0], "f4")
npd = np.array([1.0, 2.0, 3.0])


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


look("jnp.logical_not(x)", lambda x: jnp.logical_not(x), x)
look("jnp.logical_xor(b,True)", lambda b: jnp.logical_xor(b, True), b)
look("jnp.bitwise_and(i,3)", lambda i: jnp.bitwise_and(i, 3), i)
look("jnp.bitwise_or(x,1)", lambda x: jnp.bitwise_or(x, 1), x)
look("jnp.bitwise_not(i)", lambda i: jnp.bitwise_not(i), i)
look("jnp.invert(x)", lambda x: jnp.invert(x), x)
look("jnp.left_shift(i,1)", lambda i: jnp.left_shift(i, 1), i)
look("jnp.right_shift(u,1)", lambda u: jnp.right_shift(u, 1), u)
look("jnp.isnan(x)", lambda x: jnp.isnan(x), x)
look("jnp.isinf(x)", lambda x: jnp.isinf(x), x)
look("jnp.isfinite(x)", lambda x: jnp.isfinite(x), x)
look("jnp.isfinite(i)", lambda i: jnp.isfinite(i), i)
look("jnp.isposinf(x)", lambda x: jnp.isposinf(x), x)
look("jnp.isneginf(i)", lambda i: jnp.isneginf(i), i)
look("jnp.nan_to_num(x)", lambda x: jnp.nan_to_num(x), x)
look("jnp.nan_to_num(i)", lambda i: jnp.nan_to_num(i), i)
look("jnp.signbit(x)", lambda x: jnp.signbit(x), x)
look("jnp.hypot(x,y)", lambda x, y: jnp.hypot(x, y), x, y)
look("jnp.heaviside(x,0.5)", lambda x: jnp.heaviside(x, 0.5), x)
look("jnp.fmax(x,y)", lambda x, y: jnp.fmax(x, y), x, y)
look("jnp.modf(x)", lambda x: jnp.modf(x), x)
look("jnp.conj(z)", lambda z: jnp.conj(z), z)
look("jnp.real(z)", lambda z: jnp.real(z), z)
look("jnp.imag(x)", lambda x: jnp.imag(x), x)
look("jnp.cbrt(x)", lambda x: jnp.cbrt(x), x)
look("jnp.arccosh(x)", lambda x: jnp.arccosh(x), x)
look("jnp.arcsin(x)", lambda x: jnp.arcsin(x), x)
look("jnp.asin(x)", lambda x: jnp.asin(x), x)
look("jnp.acosh(x)", lambda x: jnp.acosh(x), x)
look("jnp.sinh(x)", lambda x: jnp.sinh(x), x)
look("jnp.fabs(i)", lambda i: jnp.fabs(i), i)
look("jnp.fabs(z)", lambda z: jnp.fabs(z), z)
look("jnp.positive(x)", lambda x: jnp.positive(x), x)
look("jnp.expm1(x)", lambda x: jnp.expm1(x), x)
look("jnp.log1p(x)", lambda x: jnp.log1p(x), x)
look("jnp.isclose(x,y)", lambda x, y: jnp.isclose(x, y), x, y)
look("jnp.bitwise_count(i)", lambda i: jnp.bitwise_count(i), i)
look("jnp.nextafter(x,y)", lambda x, y: jnp.nextafter(x, y), x, y)
look("x.clip(0,1)", lambda x: x.clip(0, 1), x)
look("x.clip(max=1)", lambda x: x.clip(max=1), x)
look("1-x", lambda x: 1 - x, x)
look("1.5*i", lambda i: 1.5 * i, i)
look("True+x", lambda x: True + x, x)
look("np.float32(2)*x", lambda x: np.float32(2) * x, x)
look("npx*x", lambda x: npx * x, x)
look("x*npx", lambda x: x * npx, x)
look("x+npd", lambda x: x + npd, x)
look("x+np.int64(2)", lambda x: x + np.int64(2), x)
look("x+[1,2,3]", lambda x: x + [1, 2, 3], x)
look("x==[1,2,3]", lambda x: x == [1, 2, 3], x)
look("x<'a'", lambda x: x < "a", x)
look("x+'a'", lambda x: x + "a", x)
look("2 in i", lambda i: 2 in i, i)
look("None in x", lambda x: None in x, x)
look("x.item()", lambda x: x.item(), x)
look("s.item()", lambda s: s.item(), s)
look("float(s)", lambda s: float(s), s)
look("int(k)", lambda k: int(k), k)
look("bool(s)", lambda s: bool(s), s)
look("bool(x)", lambda x: bool(x), x)
look("list(x)", lambda x: list(x), x)
look("list(m)", lambda m: list(m), m)
look("[r for r in x]", lambda x: [r for r in x], x)
look("len(x)", lambda x: len(x), x)
look("i/2", lambda i: i / 2, i)
look("i/k", lambda i, k: i / k, i, k)
look("h+x", lambda x, h: h + x, x, h)
look("h*2", lambda h: h * 2, h)
look("bf+h", lambda h, bf: bf + h, h, bf)
look("i8+i", lambda i, i8: i8 + i, i, i8)
