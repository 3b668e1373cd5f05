# title: When params is full
# Uses names of JAX's source, so only real JAX runs it, not the model.
# log: off
import jax
import numpy as np
from jax import lax
from jax._src import pjit

def f(x):
    return lax.sin(x)

xn = np.arange(3, dtype=np.float32)
early, late = jax.jit(f), jax.jit(f)
most = pjit._infer_params_cached.cache_info().maxsize

def fill():
    """New wrappers of one function: a params entry each, and no trace."""
    for _ in range(most - 1):
        jax.jit(f).trace(xn)

call("early.trace(xn)", lambda: early.trace(xn))
call("late.trace(xn)", lambda: late.trace(xn))
call("early.trace(xn), used again", lambda: early.trace(xn))
fill()
note("entries, and the most there may be", [pjit._infer_params_cached.cache_info().currsize, most])
call("early.trace(xn), params full", lambda: early.trace(xn))
call("late.trace(xn), params full", lambda: late.trace(xn))
