# expected: jnp.searchsorted asks the same caches with and without jit
# happens: without jit its loop runs operation by operation; a zero to compare with is made anew
#   from the value, weak if that is weak
import jax
import jax.numpy as jnp
import numpy as np

rows = jnp.arange(3)
call("number", lambda: jnp.searchsorted(rows, 2.0))
call("array", lambda: jnp.searchsorted(rows, jnp.arange(3)))
call("host", lambda: jnp.searchsorted(rows, np.ones(2)))
call("truth", lambda: jnp.searchsorted(rows, True))
call("mapped", lambda: jax.vmap(lambda x: jnp.searchsorted(rows, x))(rows))
with jax.disable_jit():
    call("array without jit", lambda: jnp.searchsorted(rows, jnp.arange(3)))
    call("number without jit", lambda: jnp.searchsorted(rows, 2.0))
    call("again", lambda: jnp.searchsorted(rows, 2.0))
    call("nan", lambda: jnp.searchsorted(jnp.array([1.0, np.nan]), jnp.array([0.0, -0.0, np.nan])))
for method in ("compare_all", "sort", "scan_unrolled"):
    call(method, lambda: jnp.searchsorted(jnp.arange(4.0), 2.0, method=method))
for given in (2.0, np.ones(2, np.float16)):
    call("jaxpr", lambda: print(jax.make_jaxpr(lambda x: jnp.searchsorted(jnp.arange(4.0), x))(given)))
