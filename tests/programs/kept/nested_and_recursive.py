# shows: Jitted functions in jitted functions, inlined, donated, recursive.
import jax, jax.numpy as jnp
from functools import partial
# recursion, mutual nested jits, jit inside class inside jit, inline
@partial(jax.jit, inline=True)
def add(a, b): return a + b
@jax.jit
def mul(a, b): return a * b
@jax.jit
def both(a, b): return add(a, b) + mul(a, b) + mul(b, a)
both(1., 2.); both(1., 2.); mul(1., 2.); add(1., 2.)
print(jax.make_jaxpr(both)(1., 2.))
@partial(jax.jit, static_argnums=1)
def fact(x, n): return x if n == 0 else x * fact(x, n - 1)
fact(2., 3); fact(2., 2); fact(2., 4)
@jax.jit
def lots(x):
    for i in range(3):
        x = jax.jit(lambda y: y + i)(x)
    return x
lots(1.)
@jax.jit
def inner(x): return x * 2
@jax.jit
def outer(x, y): return inner(x) + inner(y)
outer(1., 2.); outer(1., jnp.ones(3)); inner(jnp.ones(3)); outer(1, 2.)
g = jax.jit(outer); g(1., 2.)
h = jax.jit(jax.jit(inner)); h(1.)
@jax.jit
def donated(x): return jax.jit(lambda a: a + 1, donate_argnums=0)(x) + x
donated(jnp.ones(2))
@jax.jit
def ev(x):
    s = jax.eval_shape(inner, x); return jnp.zeros(s.shape) + x
ev(jnp.ones(2))
@jax.jit
def low(x):
    inner.lower(jax.ShapeDtypeStruct((3,), jnp.float32)); return x
low(1.)
@jax.jit
def conc(x): return x + inner(3.0) + jnp.ones(2).sum() + jnp.arange(3)[1]
conc(1.)
