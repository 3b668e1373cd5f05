# debug_nans and debug_infs: what runs again, and which error comes out.
import jax
import jax.numpy as jnp
import numpy as np

one, minus = jnp.float32(1), jnp.float32(-1)


@jax.jit
def f(x):
    return jnp.log(x) * 2


@jax.jit
def g(x):
    return f(x) + 1


def plain(x):
    return jnp.log(x)


inverse = jax.jit(lambda x: 1 / x)
call("off", lambda: f(minus))
with jax.debug_nans(True):
    call("no NaN", lambda: f(one))
    for i in range(2):
        call(f"NaN #{i}", lambda: f(minus))
        call(f"nested #{i}", lambda: g(minus))
        call(f"lax #{i}", lambda: jax.lax.log(minus))
        call(f"fresh #{i}", lambda: jax.jit(plain)(minus))
    call("eager", lambda: plain(minus))
    call("infinity is fine", lambda: inverse(jnp.float32(0)))
    call("integers", lambda: jax.jit(lambda x: x + 1)(3))
    call("a NaN in the program", lambda: jax.jit(lambda x: jnp.nan * x)(one))
    call("a NaN passed in", lambda: jax.jit(lambda x: x)(jnp.float32(float("nan"))))
    call("ahead of time", lambda: f.lower(minus).compile()(minus))
    call("NumPy", lambda: f(np.float32(-1)))
    call("no donation", lambda: jax.jit(plain, donate_argnums=0)(jnp.float32(1)))
with jax.debug_infs(True):
    for i in range(2):
        call(f"infinity #{i}", lambda: inverse(jnp.float32(0)))
    call("infinity, operator", lambda: one / 0)
    call("a NaN is fine", lambda: f(minus))
with jax.debug_nans(True), jax.disable_jit():
    call("disable_jit", lambda: f(minus))
with jax.debug_nans(True), jax.debug_key_reuse(True):
    call("key reuse", lambda: f(minus))
call("off again", lambda: f(minus))
with jax.debug_nans(True):
    call("one of two results", lambda: jax.jit(lambda x: {"a": x, "b": jnp.sqrt(x)})(minus))
    call("complex", lambda: jax.jit(lambda x: jnp.sqrt(x.astype("complex64")))(minus))
    call("with an effect", lambda: jax.jit(
        lambda x: (jax.debug.callback(lambda v: None, x), jnp.log(x))[1])(minus))
