# happens: jax.ds is a slice whose start may be traced; it is one dynamic_slice, or part of a gather.
# source: https://docs.jax.dev/en/latest/_autosummary/jax.ds.html
import jax, jax.numpy as jnp, numpy as np

x = jnp.arange(24.0).reshape(4, 6)


def attempt(label, fun, *args):
    try:
        r = fun(*args)
        note(label, [str(r.shape), r.ravel().tolist()])
    except Exception as error:
        note(label, type(error).__name__ + ": " + str(error).splitlines()[0])


attempt("eager", lambda: x[jax.ds(1, 2)])
attempt("eager again", lambda: x[jax.ds(2, 2)])
attempt("array start", lambda: x[jax.ds(jnp.int32(1), 2), 3])
attempt("columns", lambda: x[:, jax.ds(4, 2)])
attempt("past the end", lambda: x[jax.ds(3, 2)])
attempt("whole", lambda: x[jax.ds(4)])
attempt("none", lambda: x[jax.ds(None)])
attempt("strided", lambda: x[:, jax.ds(1, 2, 2)])
attempt("with an array", lambda: x[jax.ds(1, 2), jnp.array([0, 5])])
attempt("put", lambda: x.at[jax.ds(1, 2)].set(0.0))
attempt("added", lambda: x.at[jax.ds(1, 2), jax.ds(0, 3)].add(1.0))
attempt("negative stride", lambda: x[jax.ds(3, 2, -1)])
window = jax.jit(lambda v, i, n: v[jax.ds(i, n)], static_argnums=2)
for i in (0, 1, np.int32(2)):
    attempt("jitted", window, x, i, 2)
note("entries", window._cache_size())
note("jaxpr", str(jax.make_jaxpr(lambda v, i: v[jax.ds(i, 2), 1])(x, 0)))
note("jaxpr put", str(jax.make_jaxpr(lambda v, i: v.at[jax.ds(i, 2)].set(1.0))(x, 0)))
attempt("gradient", jax.grad(lambda v, i: v[jax.ds(i, 2)].sum()), x, 1)
attempt("mapped", jax.vmap(lambda v, i: v[jax.ds(i, 2)], in_axes=(0, 0)), x, jnp.arange(4))
attempt("traced slice", jax.jit(lambda v, i: v[i:i + 2]), x, 1)
