# title: What a jaxpr captures
# kind: story
# about: trace
# decisive: g(x)
# expected: the program looks outer values up when it runs.
# happens: an array from outside becomes a constant of the jaxpr, listed before its arguments, and a Python number is written into the line that uses it; the program goes on with the old values when the names mean something else.
# source: jax/_src/interpreters/partial_eval.py: trace_to_jaxpr
import jax
import jax.numpy as jnp

weights = jnp.asarray([1.0, 2.0, 3.0])
bias = 0.5

def f(x):
    return x * weights + bias

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])
call("g(x)", lambda: g(x))
note("jaxpr", str(jax.make_jaxpr(f)(x)))
weights, bias = jnp.zeros(3), 10.0
call("g(x), both names bound anew", lambda: g(x))
