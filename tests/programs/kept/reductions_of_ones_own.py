"""lax.reduce with a computation of the program: traced once, found by its function object."""
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

x = jnp.asarray(np.arange(1, 7, dtype="f4").reshape(2, 3))
i = jnp.asarray(np.array([[3, -4, 5], [1, 0, 7]], "i4"))


def far(a, b):
    return jnp.where(jnp.abs(a) > jnp.abs(b), a, b)


def best(a, b):
    (u, i), (v, j) = a, b
    return jnp.where(u >= v, u, v), jnp.where(u >= v, i, j)


look("far of rows", lambda x: lax.reduce(x, np.float32(0), far, (1,)), x)
look("far of all", lambda x: lax.reduce(x, np.float32(0), far, (0, 1)), x)
look("far of integers", lambda x: lax.reduce(x, np.int32(0), far, (0,)), i)
look("a lambda", lambda x: lax.reduce(x, np.float32(1), lambda a, b: a * b + 1, (0,)), x)
look("add from 2", lambda x: lax.reduce(x, np.float32(2), lax.add, (0,)), x)
look("known one", lambda x: lax.reduce(x, np.float32(0), lax.add, (0,)), x)
look("two arrays", lambda x, i: lax.reduce((x, i), (np.float32(-9), np.int32(0)), best, (1,)), x, i)
look("in a dict", lambda x: lax.reduce({"a": x}, {"a": np.float32(0)},
                                       lambda a, b: {"a": far(a["a"], b["a"])}, (1,)), x)
look("vmap", lambda x: jax.vmap(lambda r: lax.reduce(r, np.float32(0), far, (0,)))(x), x)
look("grad", lambda x: jax.grad(lambda r: lax.reduce(r, np.float32(0), far, (0, 1)))(x), x)
look("grad of sums", lambda x: jax.grad(lambda r: lax.reduce(r, np.float32(0), far, (1,)).sum())(x), x)
look("no axes", lambda x: lax.reduce(x, np.float32(5), far, ()), x)
look("of nothing", lambda x: lax.reduce(x, np.float32(5), far, (0,)), x[:0])
call("no scalar", lambda: lax.reduce(x, x[0], far, (0,)))
call("another dtype", lambda: lax.reduce(x, np.int32(0), far, (0,)))
call("another structure", lambda: lax.reduce(x, (np.float32(0),), far, (0,)))
step = jax.jit(lambda x, start: lax.reduce(x, start, far, (0,)))
call("a start of its own", lambda: step(x, jnp.float32(4)))
call("again", lambda: step(x, jnp.float32(0)))
