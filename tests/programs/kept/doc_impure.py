# shows: Functions with side effects: printing, reading and writing globals, iterators.
# source: https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html
import jax, jax.numpy as jnp, numpy as np
def speaking(x):
    print("running"); return x
s = jax.jit(speaking)
s(4.); s(5.); s(jnp.array([5.]))
G = 0.
r = jax.jit(lambda x: x + G)
r(4.); G = 10.; r(5.); r(jnp.array([4.]))
def writes(x):
    global G
    G = x
    return x
jax.jit(writes)(4.)
print(type(G).__name__)
try: G + 1
except jax.errors.UnexpectedTracerError as e: print(str(e).splitlines()[0][:50])
a = jnp.zeros((3, 3))
try: a[1, :] = 1.
except TypeError as e: print(str(e)[:50])
b = a.at[1, :].set(1.); c = jnp.ones((5, 6)).at[::2, 3:].add(7.)
print(jnp.arange(10)[11], jnp.arange(10.).at[11].get(), jnp.arange(10.).at[11].get(mode="fill", fill_value=jnp.nan), jnp.arange(3).at[7].set(5))
try: jnp.sum([1, 2, 3])
except TypeError as e: print(str(e).splitlines()[0][:60])
print(jnp.sum(jnp.array(list(range(10)))))
try: jnp.zeros(2)[[0, 1]]
except TypeError as e: print(str(e)[:60])
def strange(x): return jnp.where(x > 0, jnp.log(x), 0.)
strange(0.); jax.jit(strange)(1.)
print(jnp.array(1e40), jnp.int8(200) if False else jnp.uint8(255) + jnp.uint8(1), jnp.zeros(2, "float64").dtype)
