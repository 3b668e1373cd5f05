# shows: An activation jitted, static loop counts, and a function jitted inside a loop three ways.
# source: https://docs.jax.dev/en/latest/jit-compilation.html
import jax, jax.numpy as jnp
from functools import partial
def selu(x, alpha=1.67, lambda_=1.05): return lambda_ * jnp.where(x > 0, x, alpha * jnp.exp(x) - alpha)
x = jnp.arange(1000.)
sj = jax.jit(selu); sj(x).block_until_ready(); sj(x, 1.5); sj(x, lambda_=1.5); sj(x).block_until_ready()
def g(x, n):
    i = 0
    while i < n: i += 1
    return x + i
try: jax.jit(g)(10, 20)
except jax.errors.TracerBoolConversionError as e: print(type(e).__name__)
gj = jax.jit(g, static_argnames=["n"]); gj(10, 20); gj(10, n=20); gj(10, 21)
@partial(jax.jit, static_argnames=["n"])
def h(x, n): return g(x, n)
h(10, 20)
def unjitted(v): return v % 2
def by_partial(n):
    for k in range(n): jax.jit(partial(unjitted))(k)
def by_lambda(n):
    for k in range(n): jax.jit(lambda v: unjitted(v))(k)
def by_name(n):
    for k in range(n): jax.jit(unjitted)(k)
for way in (by_partial, by_lambda, by_name): way(2)
print(jax.make_jaxpr(selu)(jnp.ones(2)))
