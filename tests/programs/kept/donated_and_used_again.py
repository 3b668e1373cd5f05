# shows: Python looks at an array before it uses it; C++ hands it over and the runtime complains.
import jax
import jax.numpy as jnp

f = jax.jit(lambda x: x + 1, donate_argnums=0)
x = jnp.arange(4.0)
f(x)
call("an operator", lambda: x + 1)
call("C++ has an entry", lambda: f(x))
call("C++ has none", lambda: jax.jit(lambda v: v * 2)(x))
call("jnp.sin", lambda: jnp.sin(x))
call("a primitive", lambda: jax.lax.neg(x))
call("ahead of time", lambda: f.lower(jnp.ones(4)).compile()(x))
