# shows: Captured arrays and the jaxprs they give.
import jax, jax.numpy as jnp
# closures & globals & consts
BIG = jnp.arange(6.).reshape(2, 3)
SC = 3
@jax.jit
def f(x): return (x + BIG).sum() * SC
f(1.); SC = 4; f(1.); f(2)
BIG = BIG + 1
f(1.)
def outer():
    c = jnp.ones(3)
    @jax.jit
    def inner(x): return x + c
    return inner
i = outer(); i(1.); i(1.)
j = outer(); j(1.)
@jax.jit
def nested(x):
    def helper(y): return y * BIG[0]
    return jax.jit(helper)(x) + i(x)
nested(1.); nested(1.)
print(jax.make_jaxpr(nested)(1.))
print(jax.make_jaxpr(lambda a, b: (a + b, a * 2))(1, jnp.ones(3)))
print(jax.make_jaxpr(f)(2.))
print(jax.make_jaxpr(jax.nn.relu)(jnp.ones(2)))
jp, sh = jax.make_jaxpr(lambda t: {"r": t["a"] + 1}, return_shape=True)({"a": jnp.ones(2)})
print(jp, sh)
print(jax.make_jaxpr(lambda x, n: x ** n, static_argnums=1)(2., 3))
