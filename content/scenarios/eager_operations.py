# title: Without any jit
# kind: story
# about: prim fast_path
# decisive: jnp.sin(x), again
# expected: an operation outside of jit is not compiled.
# happens: a bare operation is wrapped and compiled, and found in a cache of its own; a function of jax.numpy is a jitted function and never asks that cache.
# source: jax/_src/dispatch.py: apply_primitive
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

x = jax.device_put(np.arange(3, dtype=np.float32))
call("lax.sin(x)", lambda: lax.sin(x))
call("lax.sin(x), again", lambda: lax.sin(x))
call("jnp.sin(x)", lambda: jnp.sin(x))
call("jnp.sin(x), again", lambda: jnp.sin(x))
call("x + x", lambda: x + x)
with jax.disable_jit():
    call("lax.cos(x), jit disabled", lambda: lax.cos(x))
