# happens: transposing a conversion names the empty mesh: another key than the conversion itself
import jax, jax.numpy as jnp
f3 = jax.grad(lambda x: jnp.sum(x*2.0+x))
call("b", lambda: f3(2.0))
call("b2", lambda: f3(2.0))
f4 = jax.grad(lambda x: jnp.sum(x.astype(jnp.float16)*2.0))
call("c1", lambda: f4(jnp.ones(3)))
call("c2", lambda: f4(jnp.ones((3,2))))
call("jitted", lambda: jax.jit(f4)(jnp.ones((3,2))))
