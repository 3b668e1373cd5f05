# title: Equal, and wrong
# kind: surprise
# about: fast_path
# decisive: scale(x, (2.0,))
# expected: a float factor gives a float result.
# happens: the outermost type is compared, what is inside only by ==: the two tuples are one key, and C++ returns the integer result; params and tracing compare alike.
# source: jaxlib/jax_jit.cc: CallSignature
import jax
import jax.numpy as jnp
import numpy as np

def scaled(x, factor):
    return x * factor[0]

scale = jax.jit(scaled, static_argnums=1)
x = jnp.arange(3)
call("scale(x, (2,))", lambda: scale(x, (2,)))
call("scale(x, (2.0,))", lambda: scale(x, (2.0,)))
xn = np.arange(3)
call("scale(xn, (2.0,))", lambda: scale(xn, (2.0,)))
call("another wrapper, (2.0,)", lambda: jax.jit(scaled, static_argnums=1).trace(x, (2.0,)))
call("without jit", lambda: scaled(x, (2.0,)))
