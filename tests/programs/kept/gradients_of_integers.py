# Gradients by integers are float0: arrays of nothing, and no C++ answer.
import jax, jax.numpy as jnp
g = call("int grad", lambda: jax.grad(lambda d: d["a"] * d["n"], allow_int=True)({"a": 2.0, "n": 3}))
note("g", [type(g["n"]).__name__, str(g["n"].dtype), str(g["n"].shape), repr(g["n"])])
call("again", lambda: jax.grad(lambda d: d["a"] * d["n"], allow_int=True)({"a": 2.0, "n": 3}))
call("array", lambda: jax.grad(lambda d: d["a"] * d["n"].sum(), allow_int=True)({"a": 2.0, "n": jnp.arange(3)}))
call("jit", lambda: jax.jit(jax.grad(lambda d: d["a"] * d["n"].sum(), allow_int=True))({"a": 2.0, "n": jnp.arange(3)}))
call("vjp", lambda: jax.vjp(lambda a, n: a * n, 2.0, 3)[1](1.0))
