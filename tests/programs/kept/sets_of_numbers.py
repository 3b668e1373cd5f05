# happens: how many different numbers there are is only known of a concrete array; eagerly it costs programs of their own.
import jax
import jax.numpy as jnp
import numpy as np

i = np.array([3, 1, 2, 3, 1, 7], np.int32)
f = np.array([1., np.nan, 2., 1., np.nan], np.float32)
m = np.array([[1, 2], [1, 2], [0, 5]], np.int32)

for name, fun in (
        ("unique", lambda: jnp.unique(i)), ("of floats", lambda: jnp.unique(f)),
        ("of floats, all nans", lambda: jnp.unique(f, equal_nan=False)),
        ("with everything", lambda: jnp.unique(i, return_index=True, return_inverse=True, return_counts=True)),
        ("of rows", lambda: jnp.unique(m, axis=0)), ("of columns", lambda: jnp.unique(m, axis=1, return_inverse=True)),
        ("of a matrix", lambda: jnp.unique(m, return_inverse=True)),
        ("with a size", lambda: jnp.unique(i, size=3)),
        ("with a size too large", lambda: jnp.unique(i, size=6, fill_value=-1, return_counts=True)),
        ("counts", lambda: jnp.unique_counts(i)), ("inverse", lambda: jnp.unique_inverse(i)),
        ("values", lambda: jnp.unique_values(f)), ("lexsort", lambda: jnp.lexsort((i, -i))),
        ("isin", lambda: jnp.isin(i, np.array([1, 2]))), ("not in", lambda: jnp.isin(m, i, invert=True)),
        ("searched", lambda: jnp.isin(i, np.array([2, 1]), method="binary_search")),
        ("union", lambda: jnp.union1d(i, m)), ("difference", lambda: jnp.setdiff1d(i, m)),
        ("both", lambda: jnp.intersect1d(i, m)),
        ("both, with indices", lambda: jnp.intersect1d(i, m, return_indices=True)),
        ("convolve", lambda: jnp.convolve(i, f[:1])), ("same", lambda: jnp.convolve(i, i[:3], mode="same")),
        ("valid", lambda: jnp.convolve(i[:2], i, mode="valid")),
        ("correlate", lambda: jnp.correlate(i, i[:2])), ("reversed", lambda: jnp.correlate(i[:2], i, mode="full")),
        ("moving average", lambda: jnp.convolve(np.arange(6.), np.ones(3) / 3, "same"))):
    call(name, fun)
    call(f"{name} again", fun)
sized = jax.jit(lambda x: jnp.unique(x, size=4, fill_value=0))
call("jitted", lambda: sized(i))
call("jitted again", lambda: sized(i))
note("jaxpr", str(jax.make_jaxpr(sized)(i)))
note("jaxpr of convolve", str(jax.make_jaxpr(jnp.convolve)(i, i)))
note("jaxpr of isin", str(jax.make_jaxpr(jnp.isin)(i, i)))
call("jitted without a size", lambda: jax.jit(jnp.unique)(i))
call("gradient", lambda: jax.jit(jax.grad(lambda x: jnp.sum(jnp.convolve(x, x) ** 2)))(np.arange(3, dtype=np.float32)))
call("wrong mode", lambda: jnp.convolve(i, i, mode="other"))
