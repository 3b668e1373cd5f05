# shows: what the order of complex numbers is to maxima, sorting and arg functions.
import jax, jax.numpy as jnp, numpy as np
z = jnp.asarray(np.array([1+2j, 3-1j, 3+1j, np.nan + 1j], "c8"))
w = z[:3]
from jax import lax
for n in ("max", "min", "amax", "nanmax", "ptp", "argmax", "argmin", "sort", "cumsum", "median", "argsort", "unique", "clip"):
    for v, s in ((z, "nan"), (w, "")):
        call(n + s, lambda: getattr(jnp, n)(v))

call("reduce", lambda: lax.reduce(w, -jnp.inf, lax.max, (0,)))
call("reduce_max", lambda: lax.reduce_max(w, axes=(0,)))
note("jaxpr", str(jax.make_jaxpr(jnp.max)(w)))
call("x", lambda: jnp.max(w, initial=1j))
call("where", lambda: jnp.max(w, initial=1j, where=w.real > 1))
