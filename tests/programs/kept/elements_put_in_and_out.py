"""Elements put in and taken out, and small products of vectors."""
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

m = jnp.asarray(np.arange(9, dtype="f4").reshape(3, 3))
v = jnp.asarray(np.array([3, 1, 2, 5], "i4"))
a = jnp.asarray(np.array([0.0, 7.0, 1.0, -6.0], "f4"))
look("fill_diagonal", lambda m: jnp.fill_diagonal(m, 7.0, inplace=False), m)
look("fill_diagonal by a row", lambda m: jnp.fill_diagonal(m, m[0, :2], inplace=False), m)
look("delete", lambda v: jnp.delete(v, 2), v)
look("delete a slice", lambda v: jnp.delete(v, slice(0, 2)), v)
look("delete places", lambda v: jnp.delete(v, np.array([0, -1])), v)
look("delete unique places", lambda m: jnp.delete(m, jnp.array([0, 2]), axis=1, assume_unique_indices=True), m)
look("delete by a mask", lambda v: jnp.delete(v, np.array([True, False, True, False])), v)
look("insert", lambda v: jnp.insert(v, 2, 9), v)
look("insert rows", lambda m: jnp.insert(m, np.array([0, 2]), jnp.ones((2, 3)), axis=0), m)
look("insert at a slice", lambda v: jnp.insert(v, slice(0, 2), 4), v)
look("geomspace", lambda s: jnp.geomspace(s, 8.0, 4), jnp.float32(1))
look("sinc", lambda a: jnp.sinc(a), a)
look("gradient of sinc", lambda a: jax.grad(lambda x: jnp.sinc(x).sum())(a), a)
look("unwrap", lambda a: jnp.unwrap(a), a)
look("unwrap integers", lambda v: jnp.unwrap(v, period=4), v)
look("partition", lambda v: jnp.partition(v, 1), v)
look("partition of rows", lambda m: jnp.partition(m, -1, axis=0), m)
look("matvec", lambda m: jnp.matvec(m, m[0]), m)
look("vecmat", lambda m: jnp.vecmat(m[0], m), m)
look("vecdot", lambda m: jnp.vecdot(m, m, axis=0), m)
call("in place", lambda: jnp.fill_diagonal(m, 0.0))
call("no diagonal", lambda: jnp.fill_diagonal(a, 0.0, inplace=False))
call("outside", lambda: jnp.delete(v, 9))
call("of floats", lambda: jnp.delete(v, np.array([0.5])))
call("in a trace", lambda: jax.jit(jnp.delete)(v, v))
call("sizes differ", lambda: jnp.vecdot(m, a))
