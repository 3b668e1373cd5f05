"""jnp.vectorize: NumPy's broadcasting loops, by vmap."""

import jax
import jax.numpy as jnp
import numpy as np


@jnp.vectorize
def scalar(a, b):
    return a * b + 1


def matvec(m, v):
    return m @ v


mv = jnp.vectorize(matvec, signature="(n,m),(m)->(n)")
m = jnp.arange(12.0).reshape(2, 2, 3)
v = jnp.ones(3)
call("scalars", lambda: scalar(2.0, 3.0))
call("vectors", lambda: scalar(jnp.arange(3.0), 2.0))
call("vectors again", lambda: scalar(jnp.arange(3.0), 2.0))
call("outer", lambda: scalar(jnp.arange(3.0)[:, None], jnp.arange(2.0)))
call("numpy", lambda: scalar(np.arange(3.0), np.ones((2, 1))))
call("lists", lambda: scalar([1, 2, 3], 2))
call("signature", lambda: mv(m, v))
call("signature again", lambda: mv(m, v))
call("signature, no loop", lambda: mv(m[0], v))
call("signature, both loop", lambda: mv(m[:, None], jnp.ones((3, 3))))
call("size one", lambda: mv(m[:1], v))
call("two results", lambda: jnp.vectorize(lambda a: (a.min(), a.max()), signature="(n)->(),()")(m))
call("excluded", lambda: jnp.vectorize(lambda x, n: x**n, excluded={1})(jnp.arange(3.0), 2))
call("excluded by name", lambda: jnp.vectorize(
    lambda x, *, n: x**n, excluded={"n"})(jnp.arange(3.0), n=3))
call("jitted", lambda: jax.jit(mv)(m, v))
call("jitted again", lambda: jax.jit(mv)(m, v))
call("of a jitted function", lambda: jnp.vectorize(jax.jit(matvec), signature="(n,m),(m)->(n)")(m, v))
note("jaxpr", str(jax.make_jaxpr(mv)(m, v)))
note("name", mv.__name__)
call("bad signature", lambda: jnp.vectorize(matvec, signature="(n,m),(m)>(n)")(m, v))
call("too few dimensions", lambda: mv(v, v))
call("sizes differ", lambda: mv(m, jnp.ones(4)))
call("wrong number", lambda: mv(m))
call("result of another shape", lambda: jnp.vectorize(matvec, signature="(n,m),(m)->()")(m, v))
call("one result instead of two", lambda: jnp.vectorize(lambda a: a.sum(), signature="(n)->(),()")(v))
call("loops do not fit", lambda: scalar(jnp.ones(3), jnp.ones(2)))
call("excluded is no number", lambda: jnp.vectorize(matvec, excluded={1.5}))
call("excluded is negative", lambda: jnp.vectorize(matvec, excluded={-1}))
with jax.numpy_rank_promotion("raise"):
    call("ranks", lambda: scalar(jnp.ones((2, 3)), jnp.ones(3)))
