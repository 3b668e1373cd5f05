# happens: traced, a program holds a branch for each platform; only the one for this platform is lowered.
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

x = jnp.arange(9., dtype=jnp.float32).reshape(3, 3)
i = np.arange(9).reshape(3, 3)


def chosen(x):
    return lax.platform_dependent(x, cpu=jnp.sin, default=jnp.cos)


def shared(x):
    twice = lambda x: x * 2
    return lax.platform_dependent(x, cuda=twice, rocm=twice, cpu=lambda x: x + 1)


for name, fun in (("chosen", chosen), ("shared", shared), ("diag", jnp.diag),
                  ("diagonal", jnp.diagonal), ("trace", jnp.trace), ("corrcoef", jnp.corrcoef),
                  ("cov", jnp.cov)):
    call(f"{name}, eager", lambda: fun(x))
    call(f"{name}, eager again", lambda: fun(x))
    fast = jax.jit(fun)
    call(f"{name}, jitted", lambda: fast(x))
    call(f"{name}, jitted again", lambda: fast(x))
    note(name, str(jax.make_jaxpr(fun)(x)))
call("diagonal of integers", lambda: jnp.diag(i))
call("below the diagonal", lambda: jnp.diag(x, -1))
call("missing", lambda: jax.jit(lambda x: lax.platform_dependent(x, cuda=jnp.sin))(x))
call("missing, eager", lambda: lax.platform_dependent(x, cuda=jnp.sin))
call("gpu", lambda: lax.platform_dependent(x, gpu=jnp.sin))
call("no function", lambda: lax.platform_dependent(x, cpu=3))
slope = jax.jit(jax.grad(lambda x: jnp.sum(jnp.diag(x) ** 2)))
call("grad of diag", lambda: slope(x))
call("grad of diag, again", lambda: slope(x))
call("grad, not jitted", lambda: jax.grad(lambda x: jnp.sum(chosen(x)))(x))
each = jax.jit(jax.vmap(jnp.diag))
call("vmap of diag", lambda: each(x[None] + 1))
call("vmap of diag, not jitted", lambda: jax.vmap(jnp.diag)(x[None]))
call("remat", lambda: jax.jit(jax.grad(lambda x: jax.checkpoint(chosen)(x).sum()))(x))
note("grad of diag", str(jax.make_jaxpr(slope)(x)))
