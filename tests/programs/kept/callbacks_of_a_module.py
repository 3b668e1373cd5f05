# How many callbacks a module has: one in a function that is lowered twice counts twice.
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def half(v):
    return (np.asarray(v) / 2).astype(np.float32)


def asked(x):
    return jax.pure_callback(half, jax.ShapeDtypeStruct(x.shape, x.dtype), x,
                             vmap_method="expand_dims")


inner = jax.jit(lambda x: asked(x) + 1)
twice = jax.jit(lambda x: inner(inner(x)))
call("one function, called twice", lambda: twice(1.0))
call("one function, called twice, again", lambda: twice(1.0))
call("one function, two types", lambda: jax.jit(lambda x: inner(x)[0] + inner(x[0]))(jnp.ones(2)))
call("two callbacks", lambda: jax.jit(lambda x: asked(asked(x)))(1.0))


def until(x):
    return lax.while_loop(lambda c: asked(c) > 1, lambda c: c - 1, x)


call("in a condition", lambda: jax.jit(until)(4.0))
call("in one condition per element", lambda: jax.jit(jax.vmap(until))(jnp.array([4.0, 9.0])))
call("in both branches", lambda: jax.jit(
    lambda x: lax.cond(x > 0, asked, lambda x: asked(x + 1), x))(2.0))
call("in a loop that is unrolled", lambda: jax.jit(
    lambda x: lax.scan(lambda c, _: (asked(c), None), x, length=4, unroll=2)[0])(8.0))
call("under checkpoint", lambda: jax.jit(jax.checkpoint(asked))(3.0))
call("printed and asked", lambda: jax.jit(
    lambda x: (jax.debug.print("{}", x), asked(x))[1])(3.0))

# Ahead of time, too: C++ does not call a program with callbacks, however deep they are.
for name, fun in {"at the top": asked, "inside": twice, "in a branch": lambda x: lax.cond(
        x > 0, asked, lambda x: x, x)}.items():
    compiled = call(f"compiled, {name}", lambda: jax.jit(fun).lower(2.0).compile())
    for i in range(2):
        call(f"ahead of time, {name} #{i}", lambda: compiled(2.0))
