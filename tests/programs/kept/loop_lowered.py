# Loops inside jitted functions: every way of unrolling, rest and order, and what compiling traces.
import jax
import jax.numpy as jnp
from jax import lax

xs = jnp.arange(7.0)


def running(c, x):
    return c + x, c * x


for unroll in (1, 2, 3, 7, 8, 0, True, False):
    for reverse in (False, True):
        f = jax.jit(lambda xs: lax.scan(running, 0.0, xs, unroll=unroll, reverse=reverse))
        call(f"unroll={unroll} reverse={reverse}", lambda: f(xs))

call("no turn", lambda: jax.jit(lambda xs: lax.scan(running, 0.0, xs))(xs[:0]))
call("one turn", lambda: jax.jit(lambda xs: lax.scan(running, 0.0, xs))(xs[:1]))
call("one turn, unroll=2", lambda: jax.jit(
    lambda xs: lax.scan(running, 0.0, xs, unroll=2))(xs[:1]))
call("two scans of one body", lambda: jax.jit(
    lambda xs: lax.scan(running, lax.scan(running, 0.0, xs)[0], xs))(xs))
call("the same scan twice", lambda: jax.jit(
    lambda xs: (lax.scan(running, 0.0, xs), lax.scan(running, 0.0, xs)))(xs))
call("scan in scan", lambda: jax.jit(lambda xs: lax.scan(
    lambda c, x: (lax.scan(running, c, xs)[0] + x, None), 0.0, xs))(xs))
call("scan in while", lambda: jax.jit(lambda xs: lax.while_loop(
    lambda c: c < 100, lambda c: lax.scan(running, c, xs)[0], 0.0))(xs))
call("while in scan", lambda: jax.jit(lambda xs: lax.scan(
    lambda c, x: (lax.while_loop(lambda c: c < x, lambda c: c + 1, c), c), 0.0, xs))(xs))
call("cond in scan", lambda: jax.jit(lambda xs: lax.scan(
    lambda c, x: lax.cond(x > 3, running, lambda c, x: (c, x), c, x), 0.0, xs))(xs))
call("scan in cond", lambda: jax.jit(lambda p, xs: lax.cond(
    p, lambda xs: lax.scan(running, 0.0, xs)[0], jnp.sum, xs))(True, xs))
call("fori in fori", lambda: jax.jit(lambda n: lax.fori_loop(
    0, n, lambda i, c: lax.fori_loop(0, i, lambda j, d: d + j, c), 0))(5))
call("jitted body", lambda: jax.jit(lambda xs: lax.scan(jax.jit(running), 0.0, xs))(xs))
call("powers, sorts and gathers inside", lambda: jax.jit(lambda xs: lax.scan(
    lambda c, x: (c**5 + xs[jnp.int32(x)], jnp.sort(xs * x)), 1.0, xs[:2]))(xs))
call("cumulative sums inside", lambda: jax.jit(lambda xs: lax.scan(
    lambda c, x: (c + jnp.cumsum(xs * x), None), xs, xs))(xs))
call("scatter inside", lambda: jax.jit(lambda xs: lax.fori_loop(
    0, 7, lambda i, c: c.at[i].add(c[i - 1]), xs))(xs))
call("traced start and stop", lambda: jax.jit(lambda a, b: lax.fori_loop(
    a, b, lambda i, c: c + i, 0))(2, 5))
call("typed bounds", lambda: jax.jit(lambda b: lax.fori_loop(
    0, b, lambda i, c: c + i, 0))(jnp.int16(4)))
call("map in jit", lambda: jax.jit(lambda xs: lax.map(lambda x: x**2, xs))(xs))
call("associative_scan in jit", lambda: jax.jit(
    lambda xs: lax.associative_scan(jnp.maximum, xs, reverse=True))(xs))

lowered = jax.jit(lambda xs: lax.scan(running, 0.0, xs)).lower(xs)
compiled = lowered.compile()
call("ahead of time", lambda: compiled(xs))
call("shapes only", lambda: jax.eval_shape(lambda xs: lax.scan(running, 0.0, xs), xs))


def collatz(n):
    def body(state):
        n, steps = state
        return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), steps + 1
    return lax.while_loop(lambda state: state[0] != 1, body, (n, 0))[1]


call("collatz", lambda: jax.jit(collatz)(27))
call("newton", lambda: jax.jit(lambda a: lax.while_loop(
    lambda x: jnp.abs(x * x - a) > 1e-4, lambda x: 0.5 * (x + a / x), a))(2.0))
call("fibonacci", lambda: jax.jit(lambda: lax.fori_loop(
    0, 10, lambda i, ab: (ab[1], ab[0] + ab[1]), (0, 1))[0])())
call("power iteration", lambda: jax.jit(lambda a: lax.fori_loop(
    0, 8, lambda i, v: (a @ v) / jnp.max(a @ v), jnp.ones(2)))(jnp.array([[2.0, 0], [0, 1]])))
