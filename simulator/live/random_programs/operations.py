"""Expressions that random bodies are made of.

Every operation is exact on small numbers, or rounded to whole numbers or fourths at once:
a last digit that depends on how a compiler fuses is no question of caches. (XLA turns a
division by 3 into a product with a third, and adds to that without rounding in between;
``1 - 3 * third`` is then no zero.) Loops end, whatever they are given.
"""

from __future__ import annotations

UNARY = (
    "-{a}", "abs({a})", "{a} * 2", "{a} + 1", "1 - {a}", "{a} ** 2", "jnp.abs({a})",
    "jnp.square({a})", "jnp.maximum({a}, 0)", "jnp.clip({a}, -2, 9)", "jnp.sign({a})",
    "jnp.where({a} > 1, {a}, 0)", "jnp.round(jnp.sin({a}) * 4) / 4",
    "jnp.round(jnp.exp(-abs({a})) * 2, 0)", "jnp.zeros_like({a})", "jnp.ones_like({a}) + {a}",
    "({a} > 0) * {a}", "lax.neg({a})", "jnp.asarray({a})", "jax.tree.map(jnp.abs, {a})",
    "jnp.cumsum(jnp.atleast_1d({a}))", "jnp.ravel({a})", "jnp.flip(jnp.ravel({a}))",
    "jnp.sort(jnp.ravel({a}))", "{a}.astype(jnp.float32)", "lax.stop_gradient({a})",
    "jnp.broadcast_to({a}, jnp.shape({a}))", "jnp.expand_dims({a}, 0)")

ELEMENTS = (
    "{a} // 2", "{a} % 3", "{a} / 2", "2 ** jnp.sign({a})", "jnp.floor_divide({a}, 2)",
    "jnp.mod({a}, 4)", "jnp.power({a}, 2)", "jnp.negative({a})", "jnp.floor({a})",
    "jnp.ceil({a} * 0.5)", "jnp.trunc({a} * 1.5)", "jnp.isnan({a})", "jnp.isfinite({a})",
    "jnp.logical_not({a})", "{a} >= 1", "{a} == 2", "jnp.invert({a} > 0)", "jax.nn.relu({a})",
    "jnp.sqrt(jnp.square({a}))", "jnp.real({a})", "{a}.astype(jnp.int32)", "{a}.astype(bool)",
    "lax.convert_element_type({a}, jnp.float32)", "jnp.array({a}, dtype=float)",
    "jnp.full_like({a}, 3)", "jnp.minimum({a}, 3)", "jnp.bool_({a}) | True", "jnp.int32({a}) & 3",
    "jnp.int32({a}) << 1", "jnp.invert(jnp.int32({a}))", "jnp.positive({a})", "+{a}",
    "jnp.nan_to_num({a})", "jnp.heaviside({a}, 1)", "jnp.astype({a}, jnp.float16)",
    "jax.nn.one_hot(jnp.ravel(jnp.int32({a})), 3)", "jnp.copy({a})", "lax.square({a})")

SHAPED = (
    "jnp.reshape({a}, -1)", "jnp.ravel({a})[:2]", "jnp.ravel({a})[::-1]", "{a}[..., None]",
    "jnp.concatenate([jnp.ravel({a}), jnp.ravel({a})])", "jnp.stack([{a}, {a}])",
    "jnp.atleast_2d({a})", "jnp.transpose({a})", "jnp.atleast_2d({a}).T", "jnp.squeeze({a})",
    "jnp.tile({a}, 2)", "jnp.repeat(jnp.ravel({a}), 2)", "jnp.roll({a}, 1)",
    "jnp.pad(jnp.ravel({a}), 1)", "jnp.ravel({a}).at[0].set(1)", "jnp.ravel({a}).at[:2].add(2)",
    "jnp.argsort(jnp.ravel({a}))", "jnp.cumprod(jnp.ravel({a}))", "jnp.diff(jnp.ravel({a}))",
    "jnp.moveaxis(jnp.atleast_2d({a}), 0, 1)", "jnp.swapaxes(jnp.atleast_2d({a}), 0, -1)",
    "jnp.split(jnp.concatenate([jnp.ravel({a})] * 2), 2)[0]", "jnp.diag(jnp.ravel({a}))",
    "jnp.tril(jnp.atleast_2d({a}))", "jnp.rot90(jnp.atleast_2d({a}))", "jnp.meshgrid({a}, {a})[0]",
    "lax.dynamic_slice_in_dim(jnp.pad(jnp.ravel({a}), 1), 1, 2)", "jnp.hstack([{a}, {a}])",
    "jnp.take(jnp.pad(jnp.ravel({a}), 1), jnp.array([0, 1]))", "jnp.searchsorted(jnp.arange(3), {a})")

BINARY = (
    "{a} + {b}", "{a} - {b}", "{a} * {b}", "jnp.add({a}, {b})", "jnp.maximum({a}, {b})",
    "jnp.minimum({a}, {b})", "jnp.where({a} > {b}, {a}, {b})", "{a} * ({b} > 0)",
    "jnp.outer({a}, {b})", "jnp.append({a}, {b})", "({a} > 0) & ({b} > 0)",
    "jnp.logical_or({a}, {b})", "jnp.broadcast_arrays({a}, {b})[0]", "jnp.equal({a}, {b})",
    "jnp.dot(jnp.ravel({a})[:1], jnp.ravel({b})[:1])", "jnp.polyval(jnp.ravel({a})[:2], {b})",
    "lax.select(jnp.ravel({a}) > 1, jnp.ravel({a}), jnp.ravel({a}) * 2)", "jnp.multiply({a}, {b})",
    "jnp.einsum('i,j->ij', jnp.ravel({a}), jnp.ravel({b}))", "{a} <= {b}", "jnp.subtract({a}, {b})")

SCALAR = (
    "jnp.sum({a})", "{a}.sum()", "jnp.max({a})", "jnp.ravel({a})[0]", "jnp.size({a})",
    "jnp.sum({a} > 0)", "jnp.round(jnp.mean(jnp.ones_like({a})))", "len(jnp.shape({a}))",
    "jnp.vdot({a}, jnp.ones_like({a}))", "jnp.prod({a})", "jnp.any({a} > 0)", "jnp.all({a} > 0)",
    "jnp.min({a})", "jnp.count_nonzero({a})", "jnp.argmax({a})", "jnp.ndim({a})",
    "jnp.sum({a}, where={a} > 0)", "jnp.max({a}, initial=0)", "jnp.trace(jnp.atleast_2d({a}))",
    "jnp.ptp({a})", "jnp.argmin(jnp.ravel({a}))", "jnp.ravel({a})[-1]",
    "jnp.inner(jnp.ravel({a}), jnp.ravel({a}))", "jnp.sum({a}, axis=0)", "{a}.max(keepdims=True)")

LOOPS = (
    "lax.fori_loop(0, 3, lambda i, c: c + {a}, {a})",
    "lax.cond(jnp.sum({a}) > 0, lambda v: v + 1, lambda v: v - 1, {a})",
    "lax.scan(lambda c, _: (c + 1, c), {a}, None, length=2)[0]",
    "lax.while_loop(lambda c: jnp.any(c < 20), lambda c: c + 5, abs({a}))",
    "lax.switch(1, [lambda v: v, lambda v: v * 2], {a})", "jax.checkpoint(lambda v: v * 2)({a})",
    "lax.map(lambda v: v + 1, jnp.ravel({a}))", "jax.vmap(lambda v: v * 2)(jnp.ravel({a}))",
    "lax.associative_scan(jnp.add, jnp.ravel({a}))", "jax.jit(lambda v: v + {a})({a})",
    "lax.scan(lambda c, t: (c + t, c * t), 0 * jnp.sum({a}), jnp.ravel({a}))[1]",
    "lax.cond(jnp.any({a} > 1), jnp.zeros_like, jnp.ones_like, {a})",
    "lax.fori_loop(0, jnp.int32(jnp.size({a})), lambda i, c: c + i, {a})",
    "jax.jvp(lambda v: v * {a}, (jnp.float32(2),), (jnp.float32(1),))[1]",
    "functools.reduce(jnp.maximum, [{a}, {a} + 1, 0])")

MISTAKES = (
    "{a} if {a} > 0 else -{a}", "float({a})", "int(jnp.sum({a}))", "np.asarray({a}) + 1",
    "jnp.zeros(jnp.sum({a}))", "jnp.ones(2) @ jnp.ones(3) + {a}", "'text'", "jnp.reshape({a}, (7,))",
    "{a}[5, 5, 5]", "sum([{a}, 'a'])", "{a}.nothing", "jnp.concatenate([jnp.ones(2), jnp.ones((2, 2))])",
    "lax.add(jnp.ones(2), jnp.ones(3))", "range(jnp.max({a}))", "[0, 1, 2][{a}]", "lax.cond({a}, 1, 2)",
    "{{1: 2}}[{a}]", "lax.scan(lambda c, _: (c + 1.5, None), 0, None, length=2)", "1 / 0")
"""What a traced function must not do, or cannot: errors that users see."""
