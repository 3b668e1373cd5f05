# title: Four scalars, one entry
# kind: surprise
# about: fast_path params
# decisive: g(np.float32(1))
# expected: scalars of other types are other keys.
# happens: without x64 all NumPy floats and their arrays without dimensions are one key; a Python float is weak and another one; a jax array without dimensions lives on a device, which only C++ minds.
# source: jaxlib/py_values.cc
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
one = jnp.float32(1)

call("g(np.float64(1))", lambda: g(np.float64(1)))
call("g(np.float32(1))", lambda: g(np.float32(1)))
call("g(np.array(1.0))", lambda: g(np.array(1.0)))
call("g(np.array(1, np.float32))", lambda: g(np.array(1, np.float32)))
call("g(1.0)", lambda: g(1.0))
call("g(one)", lambda: g(one))
