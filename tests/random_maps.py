"""Random mapped functions, as text: the same text runs on real JAX and on the model.

Every function takes a matrix, a vector, a number and an index of one element; what it
computes with them is put together at random, and so is the way it is mapped.
"""

from __future__ import annotations

import random

UNARY = ("jnp.sin({x})", "-{x}", "{x} * 2", "jnp.sum({x})", "jnp.cumsum({x})", "jnp.ravel({x})",
         "{x}.T", "jnp.where({x} > 0, {x}, 0.)", "jax.jit(lambda t: t * 2)({x})", "jnp.mean({x})",
         "jnp.expand_dims({x}, 0)", "jnp.stack([{x}, {x}])", "jnp.flip({x})", "jnp.max({x})",
         "jnp.clip({x}, -1, 1)", "lax.stop_gradient({x})", "jnp.sort(jnp.ravel({x}))",
         "jnp.argmax({x})", "jnp.pad(jnp.ravel({x}), 1)", "jnp.tile({x}, 2)",
         "jnp.max(jnp.atleast_1d({x}), axis=-1, keepdims=True)", "jnp.zeros_like({x}) + 1",
         "jnp.cumsum(jnp.atleast_1d({x})[::-1])", "lax.map(jnp.sin, jnp.ravel({x}))",
         "jax.vmap(lambda t: t + i)(jnp.atleast_1d({x}))", "jax.nn.softmax({x})",
         "jax.checkpoint(jnp.cos)({x})", "jax.grad(lambda t: jnp.sum(t * t))(1. * {x})",
         "jnp.roll({x}, 1)", "jnp.atleast_1d({x})[0]", "jnp.ravel({x})[i]", "jnp.linspace(0., 1., 3)",
         "jnp.take(jnp.ravel({x}), i)", "lax.dynamic_slice(jnp.ravel({x}), (i,), (1,))",
         "jnp.diff(jnp.ravel({x}))", "jnp.broadcast_to({x}, (2, *jnp.shape({x})))")
BINARY = ("{x} + jnp.sum({y})", "jnp.outer({x}, {y})", "jnp.where(jnp.sum({x}) > 0, {y}, 2.)",
          "jnp.concatenate([jnp.ravel({x}), jnp.ravel({y})])", "jnp.ravel({x})[:1] * {y}",
          "lax.cond(jnp.sum({x}) > 0, jnp.sin, jnp.cos, 1. * {y})", "jnp.vdot({x}, {x}) * {y}",
          "jnp.ravel({x}).at[i].set(jnp.sum({y}))", "jnp.ravel({x}).at[0].add(jnp.sum({y}))",
          "lax.fori_loop(0, 2, lambda k, t: t + jnp.sum({y}), 1. * {x})",
          "lax.scan(lambda c, t: (c + jnp.sum(t), c), jnp.sum(1. * {y}), jnp.ravel({x}))[1]",
          "jnp.maximum({x}, jnp.sum({y}))", "jax.jit(lambda s, t: s * jnp.sum(t))({x}, {y})",
          "jax.vmap(lambda t: t * jnp.sum({y}))(jnp.ravel({x}))", "jnp.ravel({x})[:, None] @ jnp.ravel({y})[None]")
NAMES = ("m", "v", "s", "i")
SHAPES = {"m": (2, 3), "v": (3,), "s": (), "i": ()}


def expression(rng: random.Random, depth: int) -> str:
    """A random expression of m, v and s, `depth` operations deep."""
    if depth == 0:
        return rng.choice(("m", "v", "s"))
    if rng.random() < 0.55:
        return rng.choice(UNARY).format(x=expression(rng, depth - 1))
    return rng.choice(BINARY).format(x=expression(rng, depth - 1),
                                     y=expression(rng, rng.randrange(depth)))


def program(seed: int) -> tuple[str, dict]:
    """(the mapped function as text, shape of each argument)."""
    rng = random.Random(seed)
    text = f"lambda m, v, s, i: {expression(rng, rng.randint(1, 4))}"
    shapes = dict(SHAPES)
    for level in range(rng.choice((1, 1, 1, 2))):
        axes = {n: rng.choice((None, 0, 0, 0, -1)) for n in NAMES}
        if all(a is None for a in axes.values()):
            axes["v"] = 0
        for name, axis in axes.items():
            size = 4 + level
            if axis is not None:
                shapes[name] = ((size, *shapes[name]) if axis == 0 else (*shapes[name], size))
        text = f"jax.vmap({text}, {tuple(axes.values())}, {rng.choice((0, 0, -1))})"
        if rng.random() < 0.3:
            text = f"jax.jit({text})"
    return text, shapes
