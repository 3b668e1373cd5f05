# shows: Context managers of the configuration, one after the other.
import jax, jax.numpy as jnp, contextlib
f = jax.jit(lambda x: x @ x)
x = jnp.ones((2, 2))
f(x)
@contextlib.contextmanager
def precise():
    with jax.default_matmul_precision("float32"), jax.log_compiles(False):
        yield
with precise(): f(x)
with precise(): f(x)
with jax.log_compiles(): f(jnp.ones((3, 3)))

with jax.threefry_partitionable(False): f(x)
with jax.debug_infs(True): f(x)
with jax.default_prng_impl("rbg"): print(jax.random.key(0).dtype)
with jax.explain_cache_misses(False): jax.jit(lambda x: x)(1)
with jax.no_tracing():
    f(x)
    try: f(jnp.ones((4, 4)))
    except RuntimeError as e: print(str(e)[-40:])
print(jax.config.jax_enable_x64, jax.config.read("jax_enable_x64"))
try: jax.config.update("jax_nonsense", 1)
except AttributeError as e: print(e)
try: jax.config.update("jax_enable_x64", "maybe")
except Exception as e: print(type(e).__name__, e)
try: jax.config.update("jax_default_matmul_precision", "wat")
except Exception as e: print(type(e).__name__, e)
with jax.named_scope("hi"): f(x)
f(x)
