# The numbers that come out of loops, for many types, orders and structures.
import collections

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

State = collections.namedtuple("State", "total largest")
xs = jnp.array([3, 1, 4, 1, 5], jnp.int32)


def full(label, thunk):
    value = call(label, thunk)
    note(label + ", all", [str(np.asarray(v).tolist()) for v in jax.tree.leaves(value)])


def summary(state, x):
    state = State(state.total + x, jnp.maximum(state.largest, x))
    return state, {"mean": state.total / 2, "x": -x}


full("namedtuple", lambda: lax.scan(summary, State(0, 0), xs))
full("reversed", lambda: lax.scan(summary, State(0, 0), xs, reverse=True))
full("in pieces", lambda: lax.scan(summary, State(0, 0), xs, unroll=2))
for dtype in ("int8", "uint8", "float16", "bfloat16", "complex64", "bool"):
    rows = xs.astype(dtype)
    full(dtype, lambda: lax.scan(lambda c, x: (c + x, c), rows[0], rows))
full("uint8 wraps", lambda: lax.fori_loop(0, 300, lambda i, c: c + jnp.uint8(1), jnp.uint8(0)))
full("matrix rows", lambda: lax.scan(
    lambda c, m: (m @ c, c), jnp.ones(2), jnp.arange(12.0).reshape(3, 2, 2)))
full("outer product", lambda: lax.map(lambda x: x * xs, xs))
full("map of a pair", lambda: lax.map(lambda p: (p[0] + 1, p[1][::-1]), (xs, jnp.eye(5))))
full("prefix sums", lambda: lax.associative_scan(jnp.add, xs))
full("prefix products, reversed", lambda: lax.associative_scan(jnp.multiply, xs, reverse=True))
full("prefix of matrices", lambda: lax.associative_scan(jnp.matmul, jnp.stack([jnp.eye(2) * 2] * 3)))
full("prefix maximum along rows", lambda: lax.associative_scan(
    jnp.maximum, xs.reshape(1, 5), axis=1))
full("cumsum and friends", lambda: (lax.cumsum(xs), lax.cumprod(xs), lax.cummax(xs, reverse=True),
                                    lax.cummin(xs), jnp.cumsum(xs.reshape(5, 1), 0)))
full("sieve", lambda: lax.fori_loop(
    2, 6, lambda i, mask: mask & ((jnp.arange(30) % i != 0) | (jnp.arange(30) <= i)),
    jnp.ones(30, bool)))
full("greatest common divisor", lambda: lax.while_loop(
    lambda ab: ab[1] != 0, lambda ab: (ab[1], ab[0] % ab[1]), (48, 36)))
full("bisect", lambda: lax.while_loop(
    lambda s: s[1] - s[0] > 1e-3,
    lambda s: jax.tree.map(lambda a, b: jnp.where((s[0] + s[1]) ** 2 / 4 < 2, a, b),
                           ((s[0] + s[1]) / 2, s[1]), (s[0], (s[0] + s[1]) / 2)), (0.0, 2.0)))
full("game of life", lambda: lax.fori_loop(
    0, 2, lambda i, b: (sum(jnp.roll(b, (dx, dy), (0, 1)) for dx in (-1, 0, 1)
                            for dy in (-1, 0, 1)) == 3).astype(int), jnp.eye(4, dtype=int)))
full("switch inside fori", lambda: lax.fori_loop(
    0, 4, lambda i, c: lax.switch(i, [lambda c: c + 1, lambda c: c * 3, lambda c: -c], c), 2))
full("out of bounds", lambda: [lax.switch(i, [lambda: 10, lambda: 20]) for i in (-5, 0, 1, 9)])
full("branches of trees", lambda: lax.cond(
    xs[0] > xs[1], lambda d: {"a": d["b"], "b": d["a"]}, lambda d: d, {"a": xs, "b": xs * 2}))
full("select and where", lambda: (lax.select(xs > 2, xs, -xs), jnp.select([xs > 3, xs > 1], [xs, 0], 9)))


def lcg(seed, _):
    seed = seed * jnp.uint32(1664525) + jnp.uint32(1013904223)
    return seed, seed >> 16


full("generator", lambda: lax.scan(lcg, jnp.uint32(42), None, length=4))
full("keys", lambda: lax.scan(
    lambda key, _: (jax.random.split(key)[0], jax.random.randint(key, (), 0, 10)),
    jax.random.PRNGKey(0), None, length=3))
typed = call("typed keys", lambda: lax.scan(
    lambda c, key: (c + jax.random.randint(key, (), 0, 10), None), 0,
    jax.random.split(jax.random.key(1), 4))[0])
carried = call("typed key carried", lambda: lax.scan(
    lambda key, _: (jax.random.fold_in(key, 1), key), jax.random.key(1), None, length=3))
note("its words", np.asarray(jax.random.key_data(carried[1])).tolist())
call("key chosen", lambda: jax.random.bits(lax.cond(
    True, lambda: jax.random.key(3), lambda: jax.random.key(4))))
