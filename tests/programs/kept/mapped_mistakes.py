"""What goes wrong with vmap: sizes, axes, trees, results, values that are not known."""

import jax
import jax.numpy as jnp

x, y = jnp.ones((3, 2)), jnp.ones((4, 2))


def add(a, b):
    return a + b


call("sizes differ", lambda: jax.vmap(add)(x, y))
call("sizes differ, several", lambda: jax.vmap(lambda a, b, c: a)(x, x, y))
call("sizes differ, tree", lambda: jax.vmap(lambda d: d["a"])({"a": x, "b": y}))
call("sizes differ, keywords", lambda: jax.vmap(lambda a, b: a)(x, b=y))
call("axis_size differs", lambda: jax.vmap(add, axis_size=5)(x, x))
call("no axis", lambda: jax.vmap(add)(x, 1.0))
call("axis too large", lambda: jax.vmap(add, in_axes=2)(x, x))
call("axis too negative", lambda: jax.vmap(add, in_axes=-3)(x, x))
call("all None", lambda: jax.vmap(add, in_axes=None)(x, x))
call("all None in a tuple", lambda: jax.vmap(add, in_axes=(None, None))(x, x))
call("wrong length", lambda: jax.vmap(add, in_axes=(0,))(x, x))
call("wrong length with keywords", lambda: jax.vmap(add, in_axes=(0, 0))(x, b=x))
call("axes of the wrong type", lambda: jax.vmap(add, in_axes="0"))
call("axes of floats", lambda: jax.vmap(add, in_axes=(0.0, 1)))
call("out axes of the wrong type", lambda: jax.vmap(add, out_axes="0"))
call("a bool as axis", lambda: jax.vmap(add, in_axes=True))
call("wrong tree", lambda: jax.vmap(lambda d: d, in_axes=({"a": 0},))({"a": x, "b": x}))
call("wrong tree for results", lambda: jax.vmap(lambda a: (a, a), out_axes=(0, 0, 0))(x))
call("mapped result wanted unmapped", lambda: jax.vmap(lambda a: a, out_axes=None)(x))
call("mapped result wanted unmapped, in a tree",
     lambda: jax.vmap(lambda a: {"u": a, "v": 1.0}, out_axes={"u": None, "v": 0})(x))
call("out axis too large", lambda: jax.vmap(lambda a: a, out_axes=3)(x))
call("out axis too large, unmapped", lambda: jax.vmap(lambda a: 1.0, out_axes=3)(x))
call("no arguments", lambda: jax.vmap(lambda: 1)())
call("no JAX value", lambda: jax.vmap(lambda a: a)("text"))
call("no JAX value beside", lambda: jax.vmap(lambda a, b: a, (0, None))(x, "text"))
call("result is no JAX value", lambda: jax.vmap(lambda a: "text")(x))
call("if on an element", lambda: jax.vmap(lambda a: a if a[0] > 0 else -a)(x))
call("float of an element", lambda: jax.vmap(lambda a: float(a[0]))(x))
call("index by an element", lambda: jax.vmap(lambda i: [1, 2, 3][i])(jnp.arange(3)))
call("range of an element", lambda: jax.vmap(lambda i: jnp.arange(i))(jnp.arange(3)))
call("shape inside", lambda: jax.vmap(lambda a: a.reshape(5))(x))
call("inner error", lambda: jax.vmap(lambda a: 1 / 0)(x))
call("callable with a string", lambda: jax.vmap("f"))

kept = []
call("a tracer kept", lambda: jax.vmap(lambda a: kept.append(a) or a)(x))
call("a tracer used later", lambda: kept[0] + 1)
call("a tracer used in jit", lambda: jax.jit(lambda a: a + kept[0])(x))
note("printed", repr(kept[0]))
note("type", type(kept[0]).__name__)
