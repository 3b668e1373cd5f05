# expected: a mesh without devices in context changes the type only
# happens: the call is traced and cannot be lowered: nobody says for which platform
# source: jax/_src/interpreters/pxla.py: lower_sharding_computation
import jax, jax.numpy as jnp
g = jax.jit(lambda x: x * 2)
x = jnp.ones(3)
mesh = jax.make_mesh((1,), ("x",))
call("first", lambda: g(x))
with jax.sharding.use_abstract_mesh(mesh.abstract_mesh):
    call("inside", lambda: g(x))
    call("inside again", lambda: g(x))
    call("traced", lambda: jax.make_jaxpr(g)(x) and None)
    call("eager", lambda: x * 2)
    call("eval", lambda: jax.eval_shape(g, x) and None)
call("outside", lambda: g(x))
