# title: Another element type
# kind: surprise
# about: fast_path params trace
# decisive: g(whole)
# expected: three numbers are three numbers.
# happens: whole numbers are another type and another program; converted before the call, they are the program that is there.
# source: jax/_src/interpreters/partial_eval.py: diff_types
import jax
import jax.numpy as jnp

g = jax.jit(lambda x: x * 2)
x = jnp.asarray([0.0, 1.0, 2.0])
whole = jnp.asarray([0, 1, 2])
call("g(x)", lambda: g(x))
call("g(whole)", lambda: g(whole))
converted = whole.astype(jnp.float32)
call("g(converted)", lambda: g(converted))
