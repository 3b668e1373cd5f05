# shows: A jitted function that needs its own result.
import jax
f = jax.jit(lambda x: f(x))
try: f(1)
except RecursionError as e: print("rec")
