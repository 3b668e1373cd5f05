# Under jax_debug_key_reuse a call is bound as an equation: never on the fast path.
import jax
import numpy as np
from jax import lax

x = jax.device_put(np.arange(3, dtype="float32"))
g = jax.jit(lambda x: lax.sin(x))


@jax.jit
def prints(x):
    jax.debug.print("{}", x)
    return lax.sin(x)


call("off", lambda: g(x))
with jax.debug_key_reuse(True):
    for i in range(2):
        call(f"on #{i}", lambda: g(x))
    call("NumPy", lambda: g(np.arange(3, dtype="float32")))
    call("another shape", lambda: g(jax.device_put(np.arange(4, dtype="float32"))))
    for i in range(2):
        call(f"with an effect #{i}", lambda: prints(x))
        call(f"eager #{i}", lambda: lax.sin(x))
    call("donated", lambda: jax.jit(lambda x: lax.sin(x), donate_argnums=0)(x))
    call("gone", lambda: g(x))
    jax.clear_caches()
    call("after clear_caches", lambda: g(np.arange(3, dtype="float32")))
call("off again", lambda: g(np.arange(3, dtype="float32")))
