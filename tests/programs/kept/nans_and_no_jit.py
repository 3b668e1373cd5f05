# shows: debug_nans, debug_infs and disable_jit around the same function.
import jax, jax.numpy as jnp
f = jax.jit(lambda x: jnp.log(x))
f(jnp.float32(1.))
with jax.debug_nans(True):
    f(jnp.float32(1.))
    try: f(jnp.float32(-1.))
    except FloatingPointError as e: print(str(e).splitlines()[0])
f(jnp.float32(-1.))
with jax.disable_jit():
    f(jnp.float32(2.))
    jnp.sin(1.0)
f(jnp.float32(1.))
jax.config.update("jax_debug_infs", True)
try: f(jnp.float32(0.))
except FloatingPointError as e: print(str(e).splitlines()[0])
