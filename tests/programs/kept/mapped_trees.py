"""in_axes and out_axes as trees: dictionaries, None, negative numbers, keyword arguments."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np


class Point(NamedTuple):
    x: jax.Array
    y: jax.Array


def shift(point, by, *, scale=1.0):
    return Point(point.x + by["dx"] * scale, point.y + by["dy"] * scale)


points = Point(jnp.arange(3.0), jnp.arange(3.0) * 10)
call("tree prefix", lambda: jax.vmap(shift, in_axes=(0, None))(points, {"dx": 1.0, "dy": 2.0}))
call("dict of axes", lambda: jax.vmap(shift, in_axes=(0, {"dx": 0, "dy": None}))(
    points, {"dx": jnp.ones(3), "dy": 2.0}))
call("tuple of axes", lambda: jax.vmap(shift, in_axes=(Point(0, None), None))(
    Point(jnp.arange(3.0), 5.0), {"dx": 1.0, "dy": 2.0}))
call("keyword", lambda: jax.vmap(shift, in_axes=(0, None))(
    points, {"dx": 1.0, "dy": 2.0}, scale=jnp.array([1.0, 2.0, 3.0])))
call("list of axes", lambda: jax.vmap(lambda a, b: a * b, in_axes=[0, None])(jnp.arange(3.0), 2.0))
call("negative", lambda: jax.vmap(lambda a: a.sum(), in_axes=-1)(jnp.arange(6.0).reshape(2, 3)))
call("out_axes 1", lambda: jax.vmap(lambda a: a * 2, out_axes=1)(jnp.arange(6.0).reshape(2, 3)))
call("out_axes -1", lambda: jax.vmap(lambda a: a * 2, out_axes=-1)(jnp.ones((2, 3, 4))))
call("out None", lambda: jax.vmap(lambda a, b: (a + b, b * 2.0), (0, None), (0, None))(
    jnp.arange(2.0), 4.0))
call("out broadcast", lambda: jax.vmap(lambda a, b: (a + b, b * 2.0), (0, None))(
    jnp.arange(2.0), 4.0))
call("out dict", lambda: jax.vmap(lambda a: {"s": a.sum(), "a": a}, out_axes={"s": 0, "a": 1})(
    jnp.ones((2, 3))))
call("sum_match", lambda: jax.vmap(lambda a: 2.0 * a, out_axes=None, sum_match=True)(jnp.arange(3.0)))
call("axis_size alone", lambda: jax.vmap(lambda: jnp.ones(2), axis_size=3)())
call("axis_size and unmapped", lambda: jax.vmap(lambda a: a, in_axes=None, axis_size=3)(jnp.arange(2.0)))
call("numpy arguments", lambda: jax.vmap(lambda a, b: a @ b, (0, None))(
    np.ones((2, 3), "float32"), np.ones(3, "float32")))
call("numpy, other axis", lambda: jax.vmap(lambda a: a + 1, 1)(np.ones((2, 3), "float32")))
call("constant result", lambda: jax.vmap(lambda a: 1)(jnp.arange(3)))
call("several results", lambda: jax.vmap(lambda a: (a, [a + 1, None]))(jnp.arange(3)))
note("name", jax.vmap(shift).__name__)
