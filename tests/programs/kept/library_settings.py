"""The library under settings that change its operations.

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
n = jnp.asarray(np.arange(12, dtype="f4").reshape(3, 4))
s = jnp.asarray(1.5)
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


jax.config.update("jax_numpy_rank_promotion", "warn")
look("x+m", lambda x, m: x + m, x, m)
look("x+1", lambda x: x + 1, x)
jax.config.update("jax_numpy_rank_promotion", "raise")
look("x+m", lambda x, m: x + m, x, m)
look("x*s", lambda x, s: x * s, x, s)
jax.config.update("jax_numpy_rank_promotion", "allow")
jax.config.update("jax_numpy_dtype_promotion", "strict")
look("x+i", lambda x, i: x + i, x, i)
look("x+1", lambda x: x + 1, x)
look("x+1.5", lambda x: x + 1.5, x)
look("x+npx", lambda x: x + npx, x)
look("x+npd", lambda x: x + npd, x)
look("jnp.where(b,x,0)", lambda x, b: jnp.where(b, x, 0), x, b)
look("jnp.mean(i)", lambda i: jnp.mean(i), i)
look("x.at[0].set(1)", lambda x: x.at[0].set(1), x)
jax.config.update("jax_numpy_dtype_promotion", "standard")
jax.config.update("jax_default_matmul_precision", "highest")
look("m@n", lambda m, n: m @ n, m, n)
look("jnp.dot(x,y)", lambda x, y: jnp.dot(x, y), x, y)
jax.config.update("jax_default_matmul_precision", None)
jax.config.update("jax_disable_jit", True)
look("x+1", lambda x: x + 1, x)
look("jnp.where(b,x,0)", lambda x, b: jnp.where(b, x, 0), x, b)
look("jnp.std(x)", lambda x: jnp.std(x), x)
look("jnp.linspace(0,1,3)", lambda: jnp.linspace(0, 1, 3))
look("x.sum()", lambda x: x.sum(), x)
look("x[0]", lambda x: x[0], x)
look("x.at[0].add(2)", lambda x: x.at[0].add(2), x)
jax.config.update("jax_disable_jit", False)
jax.config.update("jax_debug_nans", True)
look("jnp.log(x)", lambda x: jnp.log(x), x)
look("x/0", lambda x: x / 0, x)
look("jnp.std(x)", lambda x: jnp.std(x), x)
look("jnp.sqrt(x)", lambda x: jnp.sqrt(x), x)
look("0*x/0", lambda x: 0 * x / 0, x)
jax.config.update("jax_debug_nans", False)
jax.config.update("jax_check_static_indices", True)
look("x[5]", lambda x: x[5], x)
look("x[0]", lambda x: x[0], x)
look("m[0,7]", lambda m: m[0, 7], m)
jax.config.update("jax_check_static_indices", False)
