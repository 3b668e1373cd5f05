"""Arrays made by indexing an object, and what people write around a program."""
# happens: things people write: jax.Device annotation, pjit, live printing options, tree_util types, debug
import jax, jax.numpy as jnp
import numpy as np
def place(x, device: jax.Device): return jax.device_put(x, device)
call("place", lambda: place(np.ones(2), jax.devices()[0]))
def f(x: jax.Array) -> jax.Array: return x
note("is", isinstance(jnp.ones(2), jax.Array))
@jax.jit
def g(x):
    jax.debug.print("x {}", x)
    return x
call("g", lambda: g(1.0))
call("named", lambda: jax.named_call(lambda x: x * 2, name="dbl")(2.0))
call("scope", lambda: jax.jit(lambda x: jax.named_scope("a").__enter__() and x)(1.0) if False else None)
note("backend", jax.default_backend())
note("version", jax.__version__)
call("mgrid", lambda: jnp.mgrid[0:2, 0:3])
call("ogrid", lambda: jnp.ogrid[0:2, 0:3][1])
call("steps", lambda: jnp.mgrid[0:1:3j])
call("r_", lambda: jnp.r_[0:3, 5, jnp.arange(2)])
call("c_", lambda: jnp.c_[jnp.arange(2), jnp.arange(2) + 5])
call("grid in a program", lambda: jax.jit(lambda x: jnp.mgrid[0:2, 0:2] * x)(2.0))
call("traced", lambda: jax.jit(lambda n: jnp.mgrid[0:n])(2))
call("multi_dot", lambda: jnp.linalg.multi_dot([jnp.ones((2, 3)), jnp.ones((3, 4)), jnp.ones(4)]))
call("multi_dot of one", lambda: jnp.linalg.multi_dot([jnp.ones((2, 3))]))
call("vecdot", lambda: jnp.linalg.vecdot(jnp.ones((2, 3)), jnp.ones((2, 3))))
note("mgrid", str(jax.make_jaxpr(lambda x: jnp.mgrid[0:2, 0:3] + x)(1.0)))
note("c_", str(jax.make_jaxpr(lambda x: jnp.c_[x, x])(jnp.ones(2))))
note("r_", str(jax.make_jaxpr(lambda x: jnp.r_[x, 2.0, 0:3])(jnp.ones(2))))
