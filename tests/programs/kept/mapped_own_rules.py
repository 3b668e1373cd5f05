# log: off
"""Functions with batching rules of their own, and NumPy's functions along axes."""

import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap, sequential_vmap

xs = jnp.arange(6.0).reshape(3, 2)


@custom_vmap
def f(x, y):
    return x + y ** 2.0


@f.def_vmap
def f_rule(axis_size, in_batched, xs, ys):
    assert all(in_batched) or in_batched == [True, False]
    return f(xs, ys) if all(in_batched) else xs + ys, True


@sequential_vmap
def g(x):
    return jnp.sin(x) + 1


call("plain", lambda: f(xs[0], 2.0))
call("plain again", lambda: f(xs[0], 2.0))
call("jitted", lambda: jax.jit(f)(xs[0], 2.0))
call("mapped", lambda: jax.vmap(f)(xs, xs))
call("mapped again", lambda: jax.vmap(f)(xs, xs))
call("mapped, one unmapped", lambda: jax.vmap(f, (0, None))(xs, 1.0))
call("mapped, jitted", lambda: jax.jit(jax.vmap(f))(xs, xs))
call("of a jitted one", lambda: jax.vmap(jax.jit(f))(xs, xs))
call("one after the other", lambda: jax.vmap(g)(xs))
call("one after the other, again", lambda: jax.vmap(g)(xs))
call("one after the other, jitted", lambda: jax.jit(jax.vmap(g))(xs))
call("no rule", lambda: custom_vmap(lambda x: x)(xs))
h = custom_vmap(lambda x: (x, x))
h.def_vmap(lambda size, mapped, x: (x, True))
call("wrong results", lambda: jax.vmap(h)(xs))
h.def_vmap(lambda size, mapped, x: ((x, x), True))
call("wrong specification", lambda: jax.vmap(h)(xs))

m = jnp.arange(12.0).reshape(2, 3, 2)
for axis in (0, 1, -1):
    call(f"apply_along_axis {axis}", lambda: jnp.apply_along_axis(jnp.sum, axis, m))
call("apply_along_axis with arguments", lambda: jnp.apply_along_axis(lambda v, n: v * n, 1, m, 2))
call("apply_along_axis again", lambda: jnp.apply_along_axis(lambda v, n: v * n, 1, m, 2))
call("apply_along_axis of a list", lambda: jnp.apply_along_axis(jnp.sum, 0, [1, 2]))
call("apply_along_axis out of bounds", lambda: jnp.apply_along_axis(jnp.sum, 3, m))
call("apply_over_axes", lambda: jnp.apply_over_axes(jnp.sum, m, [0, 2]))
call("apply_over_axes, wrong function", lambda: jnp.apply_over_axes(lambda a, i: a.sum(), m, [0]))
