# shows: Ordered and unordered callbacks.
import jax, jax.numpy as jnp, numpy as np
from jax.experimental import io_callback
def host(x): return np.asarray(x) * 2
@jax.jit
def f(x):
    return jax.pure_callback(host, jax.ShapeDtypeStruct(x.shape, x.dtype), x) + 1
print(f(jnp.ones(3))); f(jnp.ones(3))
log = []
@jax.jit
def g(x):
    jax.debug.callback(lambda v: log.append(float(v)), x.sum())
    return x
g(jnp.ones(3)); g(jnp.ones(3)); jax.effects_barrier(); print(log)
@jax.jit
def h(x):
    y = io_callback(lambda v: np.float32(v + 1), jax.ShapeDtypeStruct((), jnp.float32), x, ordered=True)
    return y * 2
h(1.); h(1.)
@jax.jit
def p(x):
    jax.debug.print("x={x} {}", 3, x=x)
    jax.debug.print("ordered {}", x, ordered=True)
    return x
p(1.); p(1.); p(2)
