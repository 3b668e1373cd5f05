# Primitives that are lowered by tracing Python: each asks the tracing cache.
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

x = jax.device_put(np.arange(3, dtype="float32"))
n = jax.device_put(np.arange(3, dtype="int32"))
i = jnp.array([0, 1])


def show(name, f, *args):
    call(name, lambda: jax.jit(f)(*args))


for name in "cumsum cumprod cummax cummin cumlogsumexp logistic sin erf_inv conj".split():
    show(name, lambda x: getattr(lax, name)(x), x)
show("cumsum, reversed", lambda x: lax.cumsum(x, reverse=True), x)
show("cumprod again", lambda x: lax.cumprod(x), x)
show("sin, complex", lambda x: lax.sin(x), jnp.zeros(2, "complex64"))
for y in (-3, -2, -1, 0, 1, 2, 3, 4):
    show(f"integer_pow {y}", lambda x: lax.integer_pow(x, y), x)
show("equal equations are lowered once", lambda x: lax.logistic(lax.logistic(x)), x)
inner = jax.jit(lambda x: lax.logistic(x))
show("an inner function twice", lambda x: inner(inner(x)), x)
show("an inner function and its body", lambda x: (inner(x), lax.logistic(x)), x)
show("sort", lambda x: lax.sort((x, n), num_keys=2), x)
show("argmin", lambda x: lax.argmin(x, 0, np.int32), x)
show("argmax twice", lambda x: (lax.argmax(x, 0, np.int32), lax.argmax(x, 0, np.int32)), x)
show("jnp.argmax", lambda x: jnp.argmax(x), x)
call("argmax, eagerly", lambda: lax.argmax(x, 0, np.int32))
call("jnp.argmax, eagerly", lambda: jnp.argmax(x))
for k in range(2):
    call(f"integer_pow, eagerly #{k}", lambda: lax.integer_pow(x, 7))
show("take, filled", lambda x: jnp.take(x, i), x)
show("take, clipped", lambda x: jnp.take(x, i, mode="clip"), x)
show("get, filled", lambda x: x.at[i].get(mode="fill"), x)
show("set, clipped", lambda x: x.at[i].set(2., mode="clip"), x)
for k in range(2):
    show(f"set #{k}", lambda x: x.at[i].set(3.), x)
show("add", lambda x: x.at[i].add(2.), x)
show("add, clipped", lambda x: x.at[i].add(2., mode="clip"), x)
show("multiply", lambda x: x.at[i].multiply(2.), x)
mesh = jax.make_mesh((1,), ("a",), (jax.sharding.AxisType.Auto,))
with jax.set_mesh(mesh):
    show("under a mesh", lambda x: lax.logistic(x), x)
