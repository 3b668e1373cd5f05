# title: What a function asks while it is traced
# kind: surprise
# about: params trace
# decisive: jnp.where(x > 0, x, 0)
# expected: one call of a jitted function is one lookup.
# happens: each jitted function within it asks params and tracing for itself; operators and most functions of jax.numpy are jitted, indexing with a number, shapes and types are not.
# source: jax/_src/numpy/array_methods.py
import jax
import jax.numpy as jnp
from jax import lax

x, one = jnp.asarray([0.0, 1.0, 2.0]), jnp.asarray(1)

def ask(label, function, *arguments):
    call(label, lambda: jax.jit(function)(*arguments))

ask("x", lambda x: x, x)
ask("x * 2", lambda x: x * 2, x)
ask("x @ x", lambda x: x @ x, x)
ask("x.sum()", lambda x: x.sum(), x)
ask("jnp.mean(x)", lambda x: jnp.mean(x), x)
ask("jnp.where(x > 0, x, 0)", lambda x: jnp.where(x > 0, x, 0), x)
ask("x[one]", lambda x, one: x[one], x, one)
ask("x.at[0].set(5)", lambda x: x.at[0].set(5), x)
ask("jnp.concatenate([x, x])", lambda x: jnp.concatenate([x, x]), x)
ask("jax.nn.relu(x)", lambda x: jax.nn.relu(x), x)
ask("jax.nn.softmax(x)", lambda x: jax.nn.softmax(x), x)
ask("x[0]", lambda x: x[0], x)
ask("x[:2]", lambda x: x[:2], x)
ask("x ** 2", lambda x: x ** 2, x)
ask("x.T", lambda x: x.T, x)
ask("x.reshape(3, 1)", lambda x: x.reshape(3, 1), x)
ask("x.astype(jnp.int32)", lambda x: x.astype(jnp.int32), x)
ask("jnp.zeros(3)", lambda x: jnp.zeros(3), x)
ask("jnp.arange(3)", lambda x: jnp.arange(3), x)
ask("lax.sin(x)", lambda x: lax.sin(x), x)
ask("jnp.einsum('i,i->', x, x)", lambda x: jnp.einsum("i,i->", x, x), x)
ask("jnp.einsum in another function", lambda x: jnp.einsum("i,i->", x, x), x)
