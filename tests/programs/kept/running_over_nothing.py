# expected: lowering a running product traces its operation
# happens: without elements there is nothing to lower, and nothing is traced
# source: jax/_src/lax/control_flow/loops.py: cumred_reduce_window_impl
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

for shape in ((0,), (3,), (0, 2), (2, 0), (3, 2)):
    x = np.ones(shape, np.float32)
    call(f"cumprod {shape}", lambda: jax.jit(lambda x: lax.cumprod(x))(x))
    call(f"cumlogsumexp {shape}", lambda: jax.jit(lambda x: lax.cumlogsumexp(x, reverse=True))(x))
    call(f"cumsum {shape}", lambda: jax.jit(lambda x: jnp.cumsum(x, 0))(x))
    call(f"gradient {shape}", lambda: jax.jit(jax.grad(lambda x: lax.cumprod(x).sum()))(x))
