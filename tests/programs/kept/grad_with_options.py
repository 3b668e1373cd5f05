# argnums, has_aux, static arguments, keyword arguments, and the errors of grad.
from functools import partial

import jax
import jax.numpy as jnp


def f(x, y, z=1.0):
    return jnp.sum(x * y) * z


x, y = jnp.arange(3.0), jnp.ones(3)
call("argnums=1", lambda: jax.grad(f, argnums=1)(x, y))
call("argnums=(0, 1)", lambda: jax.grad(f, argnums=(0, 1))(x, y)[1])
call("argnums=-1", lambda: jax.grad(f, argnums=-1)(x, y))
call("keyword", lambda: jax.grad(f)(x, y, z=2.0))


@partial(jax.jit, static_argnums=1)
def powers(x, n):
    return jnp.sum(x ** n)


for n in (2, 3, 2):
    call(f"static {n}", lambda: jax.grad(powers)(x, n))


def aux(x):
    h = jnp.tanh(x)
    return jnp.sum(h), {"h": h, "n": 3}


call("has_aux", lambda: jax.grad(aux, has_aux=True)(x)[1]["h"])
call("value_and_grad has_aux", lambda: jax.value_and_grad(aux, has_aux=True)(x)[0][0])
jaux = jax.jit(jax.value_and_grad(aux, has_aux=True))
for i in range(2):
    call(f"jitted has_aux {i}", lambda: jaux(x)[1])


def fails(label, thunk):
    def safe():
        try:
            return thunk()
        except Exception as e:
            return f"{type(e).__name__}: {str(e).splitlines()[0][:150]}"
    note(label, safe())


fails("vector output", lambda: jax.grad(lambda a: a)(x))
fails("size one", lambda: jax.grad(lambda a: a[:1])(x))
fails("integer input", lambda: jax.grad(lambda a: a)(3))
fails("complex output", lambda: jax.grad(lambda a: a * 1j)(1.0))
fails("integer output", lambda: jax.grad(lambda a: a.astype(int))(1.0))
fails("too few arguments", lambda: jax.grad(f, argnums=2)(x, y))
fails("no pair", lambda: jax.grad(lambda a: a, has_aux=True)(1.0))
fails("string", lambda: jax.grad(lambda a: a)("a"))
fails("jvp dtypes", lambda: jax.jvp(lambda a: a, (1.0,), (1,)))
fails("jvp shapes", lambda: jax.jvp(lambda a: a, (x,), (x[:2],)))
fails("jvp trees", lambda: jax.jvp(lambda a: a, (x,), (x, x)))
fails("vjp twice", lambda: jax.vjp(lambda a: a, 1.0)[1](1.0, 2.0))
fails("vjp shape", lambda: jax.vjp(lambda a: a, x)[1](x[:2]))
fails("not callable", lambda: jax.grad(3))
fails("bool of a tracer", lambda: jax.jit(jax.grad(lambda a: a if a > 0 else -a))(1.0))
note("bool of a known value", float(jax.grad(lambda a: a if a > 0 else -a)(-1.0)))
note("allow_int", str(jax.grad(lambda a: a * 1.0, allow_int=True)(3).dtype))
note("holomorphic", str(jax.grad(lambda a: a * a, holomorphic=True)(1.0 + 2.0j)))
