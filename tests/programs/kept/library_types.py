"""The library: types, attributes and errors of misuse.

Each expression runs eagerly, twice, then its jaxpr is looked at, then it runs jitted."""

import re

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

x = jnp.asarray(np.array([0.5, -1.25, 2.0], "f4"))
i = jnp.asarray(np.array([3, -4, 5], "i4"))
m = jnp.asarray(np.arange(6, dtype="f4").reshape(2, 3))
s = jnp.asarray(1.5)


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


look("jnp.finfo('float32').max", lambda: jnp.finfo("float32").max)
look("jnp.iinfo(jnp.int32).min", lambda: jnp.iinfo(jnp.int32).min)
look("jnp.finfo(x.dtype).eps*x", lambda x: jnp.finfo(x.dtype).eps * x, x)
look("jnp.result_type(x,i)", lambda x, i: jnp.result_type(x, i), x, i)
look("jnp.result_type(x,1)", lambda x: jnp.result_type(x, 1), x)
look("jnp.promote_types('int32','float32')", lambda: jnp.promote_types("int32", "float32"))
look("jnp.issubdtype(x.dtype,jnp.floating)", lambda x: jnp.issubdtype(x.dtype, jnp.floating), x)
look("jnp.float32 is x.dtype", lambda x: jnp.float32 is x.dtype, x)
look("jnp.dtype('float32')", lambda: jnp.dtype("float32"))
look("jnp.dtype(jnp.int8)", lambda: jnp.dtype(jnp.int8))
look("jnp.ndim(x)", lambda x: jnp.ndim(x), x)
look("jnp.shape(m)", lambda m: jnp.shape(m), m)
look("jnp.size(m)", lambda m: jnp.size(m), m)
look("jnp.size(m,axis=0)", lambda m: jnp.size(m, axis=0), m)
look("jnp.ndim([1,2])", lambda: jnp.ndim([1, 2]))
look("jnp.iscomplexobj(x)", lambda x: jnp.iscomplexobj(x), x)
look("jnp.isscalar(s)", lambda s: jnp.isscalar(s), s)
look("isinstance(x,jnp.ndarray)", lambda x: isinstance(x, jnp.ndarray), x)
look("isinstance(x,jax.Array)", lambda x: isinstance(x, jax.Array), x)
look("str(x)", lambda x: str(x), x)
look("repr(x)", lambda x: repr(x), x)
look("x.dtype", lambda x: x.dtype, x)
look("x.shape", lambda x: x.shape, x)
look("x.nbytes", lambda x: x.nbytes, x)
look("x.weak_type", lambda x: x.weak_type, x)
look("s.weak_type", lambda s: s.weak_type, s)
look("hash(x)", lambda x: hash(x), x)
