"""The library: reductions, statistics and running sums.

Each expression runs eagerly, twice, then its jaxpr is looked at, then it runs jitted."""

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
i8 = jnp.asarray(np.array([3, -4], "i1"))


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


look("jnp.ediff1d(x,to_end=1)", lambda x: jnp.ediff1d(x, to_end=1), x)
look("jnp.cumulative_sum(x)", lambda x: jnp.cumulative_sum(x), x)
look(
    "jnp.cumulative_sum(i8,include_initial=True)",
    lambda i8: jnp.cumulative_sum(i8, include_initial=True),
    i8,
)
look("jnp.cumulative_prod(m,axis=1)", lambda m: jnp.cumulative_prod(m, axis=1), m)
look("jnp.nanargmax(x)", lambda x: jnp.nanargmax(x), x)
look("jnp.nanargmin(m,axis=0)", lambda m: jnp.nanargmin(m, axis=0), m)
look("jnp.quantile(x,0.5)", lambda x: jnp.quantile(x, 0.5), x)
look("jnp.quantile(m,0.3,axis=1)", lambda m: jnp.quantile(m, 0.3, axis=1), m)
look(
    "jnp.quantile(m,jnp.array([0.1,0.9]),axis=0)",
    lambda m: jnp.quantile(m, jnp.array([0.1, 0.9]), axis=0),
    m,
)
look(
    "jnp.quantile(x,0.5,method='nearest',keepdims=True)",
    lambda x: jnp.quantile(x, 0.5, method="nearest", keepdims=True),
    x,
)
look("jnp.percentile(x,30)", lambda x: jnp.percentile(x, 30), x)
look("jnp.median(m)", lambda m: jnp.median(m), m)
look("jnp.median(i)", lambda i: jnp.median(i), i)
look("jnp.gradient(x)", lambda x: jnp.gradient(x), x)
look("jnp.gradient(m)", lambda m: jnp.gradient(m), m)
look("jnp.gradient(x,0.5)", lambda x: jnp.gradient(x, 0.5), x)
look("jnp.trapezoid(x)", lambda x: jnp.trapezoid(x), x)
look("jnp.trapezoid(x,y)", lambda x, y: jnp.trapezoid(x, y), x, y)
look("jnp.median(m,axis=1,keepdims=True)", lambda m: jnp.median(m, axis=1, keepdims=True), m)
look("jnp.add.reduce(m)", lambda m: jnp.add.reduce(m), m)
look("jnp.add.accumulate(x)", lambda x: jnp.add.accumulate(x), x)
look("jnp.maximum.reduce(m,axis=None)", lambda m: jnp.maximum.reduce(m, axis=None), m)
look("jnp.multiply.reduce(m,axis=1)", lambda m: jnp.multiply.reduce(m, axis=1), m)
look("jnp.logical_and.reduce(b)", lambda b: jnp.logical_and.reduce(b), b)
look("x.sum(foo=1)", lambda x: x.sum(foo=1), x)
look("jnp.sum()", lambda: jnp.sum())
