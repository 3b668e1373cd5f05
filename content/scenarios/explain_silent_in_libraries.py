# title: No explanation for a library
# kind: surprise
# about: trace
# decisive: jax.jit(jnp.tanh)(x)
# expected: every miss of the tracing cache is explained.
# happens: functions defined in files of a library are left out: jnp.tanh is traced without a word, and the same in a function of your own is explained.
# source: jax/_src/interpreters/partial_eval.py: explain
import jax
import jax.numpy as jnp

def mine(x):
    return jnp.tanh(x)

x = jnp.asarray([0.0, 1.0, 2.0])
call("jax.jit(jnp.tanh)(x)", lambda: jax.jit(jnp.tanh)(x))
call("jax.jit(mine)(x)", lambda: jax.jit(mine)(x))
