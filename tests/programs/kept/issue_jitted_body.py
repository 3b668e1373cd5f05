# shows: A jitted function as the body of a loop outside of jit: the loop compiles again with each new condition.
# source: https://github.com/jax-ml/jax/issues/587
import jax, jax.numpy as jnp
from jax import lax
def centred(x): return jnp.mean(x + jnp.ones(8))
start = jnp.array(0.0)
centred(start)
quick = jax.jit(centred); quick(start); quick(start)
for turn in range(2): lax.while_loop(lambda x: x < 0, quick, start)
def negative(x): return x < 0
for body in (quick, quick, centred, centred): print(lax.while_loop(negative, body, start))
whole = jax.jit(lambda x: lax.while_loop(negative, quick, x))
for value in (start, jnp.array(-2.0), -2.0): print(whole(value))
print(quick._cache_size(), whole._cache_size())
