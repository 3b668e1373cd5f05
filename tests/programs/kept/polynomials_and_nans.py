"""Statistics that skip NaN, quantiles over several axes, and polynomials."""
import re
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

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

nan = float("nan")
x = jnp.asarray(np.array([0.5, nan, 2.0, -1.0], "f4"))
m = jnp.asarray(np.array([[1, nan, 4, 3], [nan, 2, nan, 9], [4, 8, 6, nan]], "f4"))
t = jnp.asarray(np.arange(24, dtype="f4").reshape(2, 3, 4))
i = jnp.asarray(np.array([3, -4, 5], "i4"))
w = jnp.asarray(np.array([[1, 0, 1, 0], [0, 1, 1, 0], [1, 1, 0, 1]], bool))
for name in ("nanvar", "nanstd", "nanmedian", "nanmean"):
    fun = getattr(jnp, name)
    look(f"{name} of all", lambda a: fun(a), m)
    look(f"{name} of rows", lambda a: fun(a, axis=1, keepdims=True), m)
    look(f"{name} of integers", lambda a: fun(a), i)
look("nanvar where", lambda a: jnp.nanvar(a, axis=1, where=w, ddof=1), m)
look("nanvar of all NaN", lambda a: jnp.nanvar(a), x[1:2])
look("nanstd around", lambda a: jnp.nanstd(a, mean=jnp.nanmean(a)), x)
look("nanvar of half", lambda a: jnp.nanvar(a.astype(jnp.float16)), x)
look("nanquantile", lambda a: jnp.nanquantile(a, 0.3, axis=0), m)
look("nanquantiles", lambda a: jnp.nanquantile(a, jnp.array([0.1, 0.9]), axis=1), m)
look("nanpercentile", lambda a: jnp.nanpercentile(a, 30, method="lower"), m)
look("nanmedian of several axes", lambda a: jnp.nanmedian(a, axis=(0, 1)), m)
look("quantile over two axes", lambda a: jnp.quantile(a, 0.25, axis=(0, 2)), t)
look("quantiles over two axes", lambda a: jnp.quantile(a, jnp.array([0.2, 0.5]), axis=(0, 1), keepdims=True), t)
look("median over two axes", lambda a: jnp.median(a, axis=(1, 2), keepdims=True), t)
look("nothing at all", lambda a: jnp.nanmedian(a), x[:0])
call("an axis twice", lambda: jnp.median(t, axis=(0, 0)))
call("no such method", lambda: jnp.nanquantile(x, 0.5, method="best"))
call("gradient of nanvar", lambda: jax.grad(lambda a: jnp.nanvar(a))(x))
call("vmap of nanmedian", lambda: jax.vmap(jnp.nanmedian)(m))

p, q = jnp.asarray(np.array([2.0, -1.0, 0.5], "f4")), jnp.asarray(np.array([1.0, 3.0], "f4"))
u = jnp.asarray(np.array([0.0, 1.0, 2.0, 3.0, 4.0], "f4"))
v = jnp.asarray(np.array([1.0, 2.9, 5.2, 7.1, 8.8], "f4"))
look("polyfit", lambda x, y: jnp.polyfit(x, y, 1), u, v)
look("polyfit of two", lambda x, y: jnp.polyfit(x, jnp.stack([y, -y], 1), 1), u, v)
look("polyfit with weights", lambda x, y: jnp.polyfit(x, y, 2, w=x + 1), u, v)
look("polyfit, all of it", lambda x, y: jnp.polyfit(x, y, 1, full=True), u, v)
look("polyfit and covariance", lambda x, y: jnp.polyfit(x, y, 1, cov=True), u, v)
look("polyval", lambda p, x: jnp.polyval(p, x), p, u)
look("polyadd", lambda p, q: jnp.polyadd(p, q), p, q)
look("polysub", lambda p, q: jnp.polysub(q, p), p, q)
look("polymul", lambda p, q: jnp.polymul(p, q), p, q)
look("polydiv", lambda p, q: jnp.polydiv(p, q), p, q)
look("polyder", lambda p: jnp.polyder(p), p)
look("polyder twice", lambda p: jnp.polyder(p, 2), p)
look("polyint", lambda p: jnp.polyint(p), p)
look("polyint twice", lambda p: jnp.polyint(p, 2, k=3), p)
look("poly", lambda p: jnp.poly(p), p)
look("poly of integers", lambda i: jnp.poly(i), i)
call("deg below zero", lambda: jnp.polyfit(u, v, -1))
call("lengths differ", lambda: jnp.polyfit(u, v[:2], 1))
call("gradient of a fit", lambda: jax.jit(jax.grad(lambda y: jnp.polyval(jnp.polyfit(u, y, 1), 2.0)))(v))
