# shows: Weak types, x64 and strict promotion.
import jax, jax.numpy as jnp, numpy as np
print(jnp.float32(1) + 1, jnp.int8(1) + 1.0)
with jax.enable_x64(True):
    f = jax.jit(lambda x: x + 1)
    f(1.0); f(np.float64(1)); f(jnp.float32(1))
f(1.0); f(np.float64(1.0))
jax.config.update("jax_enable_x64", True)
f(1.0)
x = jnp.arange(3); print(x.dtype)
y = jnp.array([1, 2], jnp.bfloat16) * 2.0; print(y.dtype)
with jax.numpy_dtype_promotion("strict"):
    try: jnp.ones(2, jnp.float32) + jnp.ones(2, jnp.float64)
    except Exception as e: print(type(e).__name__, str(e)[:50])
    jnp.ones(2, jnp.float32) + 1
with jax.numpy_rank_promotion("raise"):
    try: jnp.ones((2, 2)) + jnp.ones(2)
    except Exception as e: print(type(e).__name__, str(e)[:80])
