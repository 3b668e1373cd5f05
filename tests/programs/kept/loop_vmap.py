# vmap of loops and branches, eager and compiled: what is asked again and what is found.
import jax
import jax.numpy as jnp
from jax import lax

m = jnp.arange(6.0).reshape(2, 3)
x = jnp.arange(3.0)


def body(c, x):
    return c + x, c * x


def total(xs):
    return lax.scan(body, 0.0, xs)


def until(x, limit):
    return lax.while_loop(lambda c: c < limit, lambda c: c * 2 + 1, x)


def power(x, n):
    return lax.fori_loop(0, n, lambda i, c: c * x, 1.0)


def choose(p, x):
    return lax.cond(p, lambda x: x + 1, lambda x: x * 2, x)


def pick(i, x):
    return lax.switch(i, [jnp.sin, jnp.negative, lambda x: x], x)


for i in range(2):
    call(f"eager vmap of scan {i}", lambda: jax.vmap(total)(m))
for i in range(2):
    call(f"eager vmap of a fresh function {i}", lambda: jax.vmap(lambda r: total(r))(m))
for i in range(2):
    call(f"eager vmap of scan over a lambda {i}", lambda: jax.vmap(
        lambda r: lax.scan(lambda c, x: (c + x, None), 0.0, r))(m))
call("along the other axis", lambda: jax.vmap(total, in_axes=1)(m))
f = jax.jit(jax.vmap(total))
for i in range(2):
    call(f"jitted vmap of scan {i}", lambda: f(m))
call("jitted vmap, another size", lambda: f(jnp.ones((4, 3))))
g = jax.vmap(jax.jit(total))
for i in range(2):
    call(f"vmap of a jitted scan {i}", lambda: g(m))

w = jax.jit(jax.vmap(until, in_axes=(0, None)))
for limit in (5.0, 50.0):
    call(f"while until {limit}", lambda: w(x, limit))
call("while, limits mapped", lambda: jax.jit(jax.vmap(until))(x, x * 10))
call("while, eager", lambda: jax.vmap(until, in_axes=(0, None))(x, 5.0))
p = jax.jit(jax.vmap(power))
call("fori to mapped bounds", lambda: p(x, jnp.array([1, 2, 3])))
call("fori to mapped bounds again", lambda: p(x, jnp.array([3, 2, 1])))
call("fori to one bound", lambda: jax.jit(jax.vmap(power, in_axes=(0, None)))(x, 3))
c = jax.jit(jax.vmap(choose))
call("cond mapped", lambda: c(x > 0, x))
call("cond mapped again", lambda: c(x > 1, x))
call("cond mapped, eager", lambda: jax.vmap(choose)(x > 0, x))
call("cond, one predicate", lambda: jax.jit(jax.vmap(choose, in_axes=(None, 0)))(True, x))
call("switch mapped", lambda: jax.jit(jax.vmap(pick))(jnp.array([0, 1, 5]), x))
call("two maps", lambda: jax.jit(jax.vmap(jax.vmap(until, in_axes=(0, None)), in_axes=(None, 0)))(
    x, x * 3))

for size in (None, 1, 2, 4, 0):
    call(f"map in batches of {size}", lambda: lax.map(jnp.sin, jnp.arange(5.0), batch_size=size))
h = jax.jit(lambda m: lax.map(jnp.sum, m, batch_size=2))
call("jitted map in batches", lambda: h(jnp.ones((5, 3))))
call("jitted map in batches again", lambda: h(jnp.ones((5, 3))))


def collatz(n):
    return lax.while_loop(
        lambda s: s[0] != 1,
        lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1), (n, 0))[1]


call("collatz of several", lambda: jax.jit(jax.vmap(collatz))(jnp.arange(1, 6)))


def walk(steps):
    def step(position, up):
        position = position + jnp.where(up, 1, -1)
        return position, position
    return lax.scan(step, 0, steps)[1]


call("walks", lambda: jax.jit(jax.vmap(walk))(m % 2 == 0))
