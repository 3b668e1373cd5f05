# title: Tangents carried along
# kind: surprise
# about: params trace
# decisive: jax.jvp(g, (x,), (x,))
# expected: the derivative of a function that is known has to be traced from its Python again.
# happens: params answers; a program that carries tangents is made of the jaxpr, traced alone, and compiled once.
# source: jax/_src/pjit.py: _pjit_jvp; jax/_src/interpreters/ad.py: jvp_jaxpr
import jax
import jax.numpy as jnp
import numpy as np

runs = {"f": 0}

@jax.jit
def g(x):
    runs["f"] += 1
    return jnp.sin(x) * x

x = jax.device_put(np.arange(3, dtype=np.float32))
call("g(x)", lambda: g(x))
call("jax.jvp(g, (x,), (x,))", lambda: jax.jvp(g, (x,), (x,))[1])
call("the same, again", lambda: jax.jvp(g, (x,), (x,))[1])
call("jax.jvp(jnp.cos, (x,), (x,))", lambda: jax.jvp(jnp.cos, (x,), (x,))[1])
call("of cos, again", lambda: jax.jvp(jnp.cos, (x,), (x,))[1])
note("times the body ran", runs["f"])
