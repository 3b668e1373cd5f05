import jax, jax.numpy as jnp, numpy as np
class Scaled:
    __slots__ = ("k",)
    def __init__(self, k): self.k = k
    def __call__(self, x): return x * self.k
f = jax.jit(Scaled(2))
x = jnp.ones(3)
call("slots", lambda: f(x))
call("again", lambda: f(x))
call("vmap", lambda: jax.vmap(Scaled(2))(x))
call("grad", lambda: jax.grad(Scaled(2))(1.0))
call("lower", lambda: str(f.lower(x).out_info))
call("eval_shape", lambda: str(jax.eval_shape(Scaled(2), x)))
call("make_jaxpr", lambda: str(jax.make_jaxpr(Scaled(2))(x)))
call("numpy's sum", lambda: jax.jit(np.sum)(x))
call("built in", lambda: jax.jit(abs)(x))
call("a name", lambda: jax.jit("abc"))
