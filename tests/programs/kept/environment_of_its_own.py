"""Variables that a program sets itself count when JAX is imported, whatever came before."""
import os

import numpy as np

ones = np.ones(3)
os.environ["JAX_ENABLE_X64"] = "1"
os.environ["JAX_NUMPY_DTYPE_PROMOTION"] = "strict"

note("before", os.environ["JAX_ENABLE_X64"])

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402

os.environ["JAX_ENABLE_X64"] = "0"
f = jax.jit(lambda x: x * 2)
call("numpy", lambda: f(ones))
call("the same array", lambda: f(ones))
call("a jax.Array", lambda: f(jnp.arange(3)))
call("a Python number", lambda: f(2.5))
call("mixed", lambda: jax.jit(lambda x, y: x + y)(ones, np.float32(1)))
call("by context", lambda: jax.enable_x64(False)(f)(ones))
