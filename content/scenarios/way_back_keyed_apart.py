# title: The way back is keyed apart
# kind: surprise
# about: params trace prim
# decisive: jax.grad(f)(one)
# expected: an operation that is known is known in a gradient too.
# happens: the way back of a gradient runs under the mesh of the way forth, and an empty one is another value than none; what runs there is new once to every cache.
# source: jax/_src/core.py: JaxprEqnContext
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

one = jax.device_put(np.float32(1))

@jax.custom_vjp
def f(x):
    return lax.sin(x)

f.defvjp(lambda x: (lax.sin(x), x), lambda x, back: (back * x,))

call("one * one", lambda: one * one)
call("lax.mul(one, one)", lambda: lax.mul(one, one))
call("jax.grad(f)(one)", lambda: jax.grad(f)(one))
call("jax.grad(f)(one), again", lambda: jax.grad(f)(one))
call("jax.grad(lambda a: lax.mul(a, a))(one)", lambda: jax.grad(lambda a: lax.mul(a, a))(one))
call("another lambda, the same", lambda: jax.grad(lambda a: lax.mul(a, a))(one))
