# shows: A program that replaces functions of jax.
import jax
jax.numpy.sin = lambda x: 42
print(jax.numpy.sin(1.))
real_jit = jax.jit
n = []
def myjit(f, **k):
    n.append(1); return real_jit(f, **k)
jax.jit = myjit
f = jax.jit(lambda x: x + 1)
f(1)
import jax.numpy as jnp
jnp.cos(1.)
print("x")
for i in range(2000): print("line", i)
