"""Arguments of random calls: the same few values in the many forms people pass them."""

from __future__ import annotations

import random

SHAPES = ("(3,)", "(2,)", "(2, 3)", "()", "(0,)", "(1,)")
_NUMBERS = ("2", "3.0", "True", "-1", "0", "1.5", "np.float32(2)", "np.int32(3)", "np.float64(1)",
            "jnp.float32(2)", "jnp.asarray(2.0)", "jnp.asarray(3)", "np.array(2.0)")
_ARRAYS = ("jnp.ones({s})", "jnp.zeros({s}, int)", "np.ones({s}, np.float32)", "np.ones({s})",
           "jnp.full({s}, 2)", "jnp.full({s}, 2.0)", "np.full({s}, 3)", "jnp.ones({s}) * 3",
           "jnp.ones({s}, jnp.bfloat16)", "jnp.ones({s}, bool)", "jnp.ones({s}, jnp.float16)",
           "np.zeros({s}, np.int8)", "jnp.ones({s}).astype(int)")
_SEQUENCES = ("jnp.arange(3)", "jnp.arange(3.)", "np.arange(3)", "np.arange(4.)", "jnp.arange(2, 5)",
              "jnp.linspace(0, 1, 3)", "jnp.array([1, 2, 3])", "jnp.array([1., 2.])",
              "np.array([3, 1, 2], np.int32)")
_PLACED = ("jax.device_put(jnp.ones({s}), jax.devices()[{d}])",
           "jax.device_put(np.ones({s}, np.float32), jax.devices()[{d}])",
           "jax.device_put(2.0, jax.devices()[{d}])")
_SHARDED = ("jax.device_put(jnp.arange(8.), NamedSharding(mesh, P('x')))",
            "jax.device_put(jnp.ones(4), NamedSharding(mesh, P()))",
            "jax.device_put(np.ones((4, 2), np.float32), NamedSharding(mesh, P('x', None)))")
HELD = ("2", "3.5", "[1, 2]", "jnp.ones(3)", "jnp.arange(3)", "jnp.asarray(2.0)", "True",
        "np.arange(3, dtype=np.float32)", "np.ones((2, 3), np.float32)", "np.float32(2)",
        "jnp.zeros((2,), int)", "np.array([1, 2], np.int32)")
"""What functions close over. No arrays of 64 bits: after a change of jax_enable_x64 JAX 0.11.1
mixes up their types, and fails in its compiler."""
STATICS = ("1", "2", "3", "True", "1.0", "'a'", "(1, 2)", "None", "jnp.float32", "int")
UNHASHABLE = ("[1, 2]", "{'a': 1}", "np.ones(2)", "jnp.ones(2)")
WRONG = ("'text'", "object()", "None", "b'x'", "[1, 'a']", "lambda: 0")


def array(pick: random.Random, devices: int) -> str:
    """One array-like argument as an expression.

    Args:
      devices: how many there are; with several, some arguments are placed on one of them,
        or on a mesh over all (the program then defines `mesh`).
    """
    chance = pick.random()
    if devices > 1 and chance < 0.25:
        return pick.choice(_SHARDED)
    if chance < 0.35:
        return pick.choice(_PLACED).format(s=pick.choice(SHAPES[:3]), d=pick.randrange(devices))
    if chance < 0.5:
        return pick.choice(_NUMBERS)
    if chance < 0.7:
        return pick.choice(_SEQUENCES)
    return pick.choice(_ARRAYS).format(s=pick.choice(SHAPES))


def variants(pick: random.Random, devices: int, count: int) -> list[str]:
    """Arguments for a series of calls: mostly the same one again."""
    pool = [array(pick, devices) for _ in range(pick.choice((1, 2, 2, 3)))]
    return [pick.choice(pool) for _ in range(count)]


def pytree(pick: random.Random, devices: int) -> str:
    """A small container of arguments; the bodies read its ``a`` and ``b``."""
    a, b = array(pick, devices), array(pick, devices)
    return pick.choice(("{{'a': {a}, 'b': {b}}}", "{{'b': {b}, 'a': {a}}}", "dict(a={a}, b={b})"
                        )).format(a=a, b=b)


def pair(pick: random.Random, devices: int) -> str:
    """A pair in one of several kinds of container."""
    a, b = array(pick, devices), array(pick, devices)
    return pick.choice(("({a}, {b})", "[{a}, {b}]", "Pair({a}, {b})", "({a}, {b})")).format(a=a, b=b)
