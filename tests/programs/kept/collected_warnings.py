# shows: Programs that collect JAX's warnings, or show them in their own way, are given the whole text.
import warnings
import jax
import jax.numpy as jnp
f = jax.jit(lambda x: x[:2] * 1.0, donate_argnums=0)
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    call("collected", lambda: f(jnp.ones(7)))
    call("no float64", lambda: jnp.zeros(3, "float64"))
call("what was", lambda: str([(w.category.__name__, str(w.message)) for w in seen]))
shown = []
with warnings.catch_warnings():
    warnings.showwarning = lambda message, category, *where: shown.append(f"{category.__name__}: {message}")
    call("in its own way", lambda: f(jnp.ones(8)))
call("shown", lambda: str(shown))
call("printed again", lambda: f(jnp.ones(9)))
