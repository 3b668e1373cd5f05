# shows: Functions made in functions, and what happens when they go.
import jax, jax.numpy as jnp, gc
def make(k):
    arr = jnp.arange(3.) * k
    def f(x): return x + arr
    return jax.jit(f)
a = make(1); b = make(2)
x = jnp.ones(3)
print(a(x), b(x))
a(x)
del a; gc.collect()
b(x)
c = make(1); c(x)
def h(n):
    @jax.jit
    def inner(x): return x * n
    return inner(x)
for i in range(3): h(i)
fs = [jax.jit(lambda x, i=i: x * i) for i in range(3)]
for f in fs: f(x)
for f in fs: f(x)
g = fs[0]; del fs; gc.collect(); g(x)
