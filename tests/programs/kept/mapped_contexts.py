"""vmap in other configurations: x64, debugging, no jit, strict promotion, precision, no tracing."""

import jax
import jax.numpy as jnp
import numpy as np

xs = jnp.arange(6.0).reshape(2, 3)


@jax.jit
def f(x):
    return jnp.sin(x) * 2


def norm(x):
    return x / jnp.sum(x)


call("plain", lambda: jax.vmap(f)(xs))
with jax.enable_x64(True):
    call("x64", lambda: jax.vmap(f)(np.arange(6.0).reshape(2, 3)))
    call("x64 again", lambda: jax.vmap(f)(np.arange(6.0).reshape(2, 3)))
    call("x64, array of before", lambda: jax.vmap(f)(xs))
call("plain again", lambda: jax.vmap(f)(xs))
with jax.disable_jit():
    call("disable_jit", lambda: jax.vmap(f)(xs))
with jax.debug_nans(True):
    call("debug_nans", lambda: jax.vmap(f)(xs))
    call("debug_nans, a NaN", lambda: jax.vmap(norm)(jnp.zeros((2, 3))))
    call("debug_nans, a NaN in jit", lambda: jax.vmap(jax.jit(norm))(jnp.zeros((2, 3))))
with jax.default_matmul_precision("highest"):
    call("precision", lambda: jax.vmap(lambda x: x @ x)(xs))
    call("precision again", lambda: jax.vmap(lambda x: x @ x)(xs))
call("precision of before", lambda: jax.vmap(lambda x: x @ x)(xs))
with jax.numpy_dtype_promotion("strict"):
    call("strict", lambda: jax.vmap(lambda x: x * 2.0)(xs))

with jax.log_compiles(False):
    call("no log", lambda: jax.vmap(lambda x: jnp.cos(x) + x)(xs))
call("eval_shape", lambda: str(jax.eval_shape(jax.vmap(f), xs)))
lowered = jax.jit(jax.vmap(f)).lower(xs)
call("compiled ahead of time", lambda: lowered.compile()(xs))
call("traced, then lowered", lambda: jax.jit(jax.vmap(norm)).trace(xs).lower().compile()(xs))
call("no_tracing", lambda: jax.vmap(f)(xs))
