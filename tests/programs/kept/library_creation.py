"""The library: making arrays.

Each expression runs eagerly, twice, then its jaxpr is looked at, then it runs jitted."""

import re

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

x = jnp.asarray(np.array([0.5, -1.25, 2.0], "f4"))
y = jnp.asarray(np.array([2.0, 0.5, -3.0], "f4"))
i = jnp.asarray(np.array([3, -4, 5], "i4"))
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


look("jnp.zeros(3)", lambda: jnp.zeros(3))
look("jnp.zeros((2,3),'int32')", lambda: jnp.zeros((2, 3), "int32"))
look("jnp.ones((2,),bool)", lambda: jnp.ones((2,), bool))
look("jnp.full((2,),1.5)", lambda: jnp.full((2,), 1.5))
look("jnp.full((2,),i)", lambda i: jnp.full((2,), i), i)
look("jnp.full(3,7)", lambda: jnp.full(3, 7))
look("jnp.arange(5)", lambda: jnp.arange(5))
look("jnp.arange(1,5)", lambda: jnp.arange(1, 5))
look("jnp.arange(0,1,0.25)", lambda: jnp.arange(0, 1, 0.25))
look("jnp.arange(3.0)", lambda: jnp.arange(3.0))
look("jnp.arange(1,10,3,dtype='float32')", lambda: jnp.arange(1, 10, 3, dtype="float32"))
look("jnp.linspace(0,1,5)", lambda: jnp.linspace(0, 1, 5))
look("jnp.linspace(0,1,5,endpoint=False)", lambda: jnp.linspace(0, 1, 5, endpoint=False))
look("jnp.eye(3)", lambda: jnp.eye(3))
look("jnp.eye(2,3,k=1)", lambda: jnp.eye(2, 3, k=1))
look("jnp.identity(2)", lambda: jnp.identity(2))
look("jnp.zeros_like(x)", lambda x: jnp.zeros_like(x), x)
look("jnp.ones_like(i)", lambda i: jnp.ones_like(i), i)
look("jnp.full_like(x,3)", lambda x: jnp.full_like(x, 3), x)
look("jnp.zeros_like(s)", lambda s: jnp.zeros_like(s), s)
look("jnp.empty((2,))", lambda: jnp.empty((2,)))
look("jnp.array(1)", lambda: jnp.array(1))
look("jnp.array(1.5)", lambda: jnp.array(1.5))
look("jnp.array([1,2,3])", lambda: jnp.array([1, 2, 3]))
look("jnp.array([1.,2.])", lambda: jnp.array([1.0, 2.0]))
look(
    "jnp.array([[1,2],[3,4]],dtype='float32')", lambda: jnp.array([[1, 2], [3, 4]], dtype="float32")
)
look("jnp.array([x,y])", lambda x, y: jnp.array([x, y]), x, y)
look("jnp.array([1,s,2])", lambda s: jnp.array([1, s, 2]), s)
look("jnp.array(x)", lambda x: jnp.array(x), x)
look("jnp.array(npx)", lambda: jnp.array(npx))
look("jnp.array(npd)", lambda: jnp.array(npd))
look("jnp.asarray(x)", lambda x: jnp.asarray(x), x)
look("jnp.asarray(npx)", lambda: jnp.asarray(npx))
look("jnp.asarray(npd)", lambda: jnp.asarray(npd))
look("jnp.asarray(npd,dtype='float32')", lambda: jnp.asarray(npd, dtype="float32"))
look("jnp.asarray(npx,dtype='float32')", lambda: jnp.asarray(npx, dtype="float32"))
look("jnp.asarray(True)", lambda: jnp.asarray(True))
look("jnp.asarray(2,dtype='int8')", lambda: jnp.asarray(2, dtype="int8"))
look("jnp.asarray(np.float32(2))", lambda: jnp.asarray(np.float32(2)))
look("jnp.asarray(np.float64(2))", lambda: jnp.asarray(np.float64(2)))
look("jnp.asarray(np.int64(2))", lambda: jnp.asarray(np.int64(2)))
look("jnp.float32(1)", lambda: jnp.float32(1))
look("jnp.int32(7)", lambda: jnp.int32(7))
look("jnp.float32(x)", lambda x: jnp.float32(x), x)
look("jnp.bool_(1)", lambda: jnp.bool_(1))
look("jnp.asarray(1j)", lambda: jnp.asarray(1j))
look("jnp.asarray([])", lambda: jnp.asarray([]))
look("jnp.asarray([[1,2],[3]])", lambda: jnp.asarray([[1, 2], [3]]))
look("jnp.asarray(None)", lambda: jnp.asarray(None))
look("jnp.asarray('abc')", lambda: jnp.asarray("abc"))
look("jnp.asarray([1,None])", lambda: jnp.asarray([1, None]))
look("jnp.zeros(-1)", lambda: jnp.zeros(-1))
look("jnp.zeros(2,3)", lambda: jnp.zeros(2, 3))
look("jnp.zeros((2,),'float64')", lambda: jnp.zeros((2,), "float64"))
look("jnp.zeros(s)", lambda s: jnp.zeros(s), s)
look("jnp.zeros(k)", lambda k: jnp.zeros(k), k)
look("jnp.arange(k)", lambda k: jnp.arange(k), k)
look("jnp.arange(s)", lambda s: jnp.arange(s), s)
look("jnp.zeros((k,2))", lambda k: jnp.zeros((k, 2)), k)
look("jnp.tri(3)", lambda: jnp.tri(3))
look("jnp.indices((2,3))", lambda: jnp.indices((2, 3)))
look("jnp.array(3,copy=False)", lambda: jnp.array(3, copy=False))
look("jnp.array(x,dtype='int32')", lambda x: jnp.array(x, dtype="int32"), x)
look("jnp.array(2.5,dtype=int)", lambda: jnp.array(2.5, dtype=int))
look("jnp.array([True,2,3.5])", lambda: jnp.array([True, 2, 3.5]))
look("jnp.copy(x)", lambda x: jnp.copy(x), x)
look("jnp.logspace(0,1,3)", lambda: jnp.logspace(0, 1, 3))
look("jnp.asarray(2**40)", lambda: jnp.asarray(2**40))
look("jnp.asarray([2**40])", lambda: jnp.asarray([2**40]))
look("jnp.array(range(3))", lambda: jnp.array(range(3)))
look("jnp.ones(3,dtype=jnp.bfloat16)", lambda: jnp.ones(3, dtype=jnp.bfloat16))
look("jnp.zeros(3)+1", lambda: jnp.zeros(3) + 1)
look("x.take(jnp.array([1]))", lambda x: x.take(jnp.array([1])), x)
look("jnp.array_split(x,2)", lambda x: jnp.array_split(x, 2), x)
look("jnp.float_power(i,2)", lambda i: jnp.float_power(i, 2), i)
look("jnp.copysign(x,y)", lambda x, y: jnp.copysign(x, y), x, y)
look("jnp.array_equal(x,y)", lambda x, y: jnp.array_equal(x, y), x, y)
look("jnp.array_equiv(x,y)", lambda x, y: jnp.array_equiv(x, y), x, y)
