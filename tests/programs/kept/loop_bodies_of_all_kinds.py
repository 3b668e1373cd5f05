# Eager loops in a Python loop: which callables are the same body, and what they close over.
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

xs = jnp.arange(3.0)
scale = jnp.float32(2.0)


def body(c, x):
    return c + x, c


def scaled(c, x):
    return c + scale * x, None


def with_rate(rate, c, x):
    return c + rate * x, None


class Cell:
    def __init__(self, rate):
        self.rate = rate

    def step(self, c, x):
        return c + self.rate * x, None

    def __call__(self, c, x):
        return c * self.rate + x, None


for i in range(2):
    call(f"lambda {i}", lambda: lax.scan(lambda c, x: (c + x, c), 0.0, xs)[0])
for i in range(2):
    call(f"function {i}", lambda: lax.scan(body, 0.0, xs)[0])
jitted = jax.jit(body)
for i in range(2):
    call(f"jitted function {i}", lambda: lax.scan(jitted, 0.0, xs)[0])
for i in range(2):
    call(f"jitted anew {i}", lambda: lax.scan(jax.jit(body), 0.0, xs)[0])
kept = functools.partial(with_rate, 2.0)
for i in range(2):
    call(f"partial {i}", lambda: lax.scan(kept, 0.0, xs)[0])
for i in range(2):
    call(f"partial made anew {i}", lambda: lax.scan(functools.partial(with_rate, 2.0), 0.0, xs)[0])
cell = Cell(3.0)
for i in range(2):
    call(f"bound method {i}", lambda: lax.scan(cell.step, 0.0, xs)[0])
method = cell.step
for i in range(2):
    call(f"bound method kept {i}", lambda: lax.scan(method, 0.0, xs)[0])
for i in range(2):
    call(f"callable object {i}", lambda: lax.scan(cell, 0.0, xs)[0])
call("another callable object", lambda: lax.scan(Cell(3.0), 0.0, xs)[0])
cell.rate = 5.0
call("callable object, changed", lambda: lax.scan(cell, 0.0, xs)[0])
for i in range(2):
    call(f"closes over an array {i}", lambda: lax.scan(scaled, 0.0, xs)[0])
scale = jnp.float32(3.0)
call("closes over another array", lambda: lax.scan(scaled, 0.0, xs)[0])
call("other types", lambda: lax.scan(body, 0, jnp.arange(3))[0])
call("numpy rows", lambda: lax.scan(body, 0.0, np.arange(3, dtype=np.float32))[0])
call("strong start", lambda: lax.scan(body, jnp.float32(0), xs)[0])
call("longer", lambda: lax.scan(body, 0.0, jnp.arange(4.0))[0])
call("reversed", lambda: lax.scan(body, 0.0, xs, reverse=True)[0])
call("unroll=3", lambda: lax.scan(body, 0.0, xs, unroll=3)[0])
call("unroll=True", lambda: lax.scan(body, 0.0, xs, unroll=True)[0])
call("unroll=2", lambda: lax.scan(body, 0.0, xs, unroll=2)[0])
call("length given", lambda: lax.scan(body, 0.0, xs, length=3)[0])
call("first again", lambda: lax.scan(body, 0.0, xs)[0])


def add(i, c):
    return c + i


for i in range(2):
    call(f"fori {i}", lambda: lax.fori_loop(0, 3, add, 0))
for i in range(2):
    call(f"fori, lambda {i}", lambda: lax.fori_loop(0, 3, lambda i, c: c + i, 0))
call("fori, other bounds", lambda: lax.fori_loop(1, 4, add, 0))
call("fori, other length", lambda: lax.fori_loop(0, 4, add, 0))
call("fori, array bound", lambda: lax.fori_loop(0, jnp.int32(3), add, 0))
call("fori, float carry", lambda: lax.fori_loop(0, 3, add, 0.0))


def square(y):
    return y * y


for i in range(2):
    call(f"map {i}", lambda: lax.map(square, xs))


def small(c):
    return c < 10


def double(c):
    return c * 2


for i in range(2):
    call(f"while {i}", lambda: lax.while_loop(small, double, 1))
call("while, float", lambda: lax.while_loop(small, double, 1.0))
call("while, typed", lambda: lax.while_loop(small, double, jnp.int8(1)))
call("while, one new function", lambda: lax.while_loop(small, lambda c: c * 2, 1))


def up(x):
    return x + 1


def down(x):
    return x - 1


for flag in (True, False):
    call(f"cond {flag}", lambda: lax.cond(flag, up, down, 1.0))
for i in range(2):
    call(f"cond of lambdas {i}", lambda: lax.cond(True, lambda x: x + 1, lambda x: x - 1, 1.0))
call("cond on an array", lambda: lax.cond(xs[1] > 0, up, down, 1.0))
call("cond on a number", lambda: lax.cond(3, up, down, 1.0))
call("cond of an array", lambda: lax.cond(True, up, down, xs))
call("branches swapped", lambda: lax.cond(True, down, up, 1.0))
for i in range(4):
    call(f"switch {i}", lambda: lax.switch(i, [up, down, jnp.negative], 1.0))
call("switch on an array", lambda: lax.switch(jnp.int32(1), [up, down, jnp.negative], 1.0))
call("switch, other branches", lambda: lax.switch(1, [up, down], 1.0))
