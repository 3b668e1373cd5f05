# shows: AssertionError, KeyError and others that belong to the program.
import numpy as np, jax.numpy as jnp, jax
call("ok", lambda: np.testing.assert_allclose(jnp.ones(3), np.ones(3)))
call("no", lambda: np.testing.assert_allclose(jnp.ones(3), np.zeros(3)))
call("assert", lambda: (lambda: exec("assert False, 'mine'"))())
call("slots", lambda: jax.jit(lambda x: x, in_shardings=())(1))
call("round", lambda: jnp.round(jnp.array([1, 2]), -1))
class A:
    def __getattr__(self, n): raise AttributeError("mine " + n)
call("attr", lambda: jax.jit(lambda x: x, static_argnums=0)(A()))
call("key", lambda: jax.jit(lambda d: d["x"])({"a": 1}))
call("name", lambda: jax.jit(lambda d: undefined)(1))
call("attr2", lambda: jax.jit(lambda d: d.nothing)(1))
call("notimpl", lambda: jax.jit(lambda d: (_ for _ in ()).throw(NotImplementedError("x")))(1))
