# References in loops and branches: written in a body, made in a body, from outside.
import jax
import jax.numpy as jnp
from jax import lax


def in_scan(xs):
    r = jax.new_ref(jnp.zeros(3))

    def body(c, y):
        r[0] += y
        return c + r[0], r[0]
    return lax.scan(body, 0.0, xs), r[...]


def in_reversed_scan(xs):
    r = jax.new_ref(jnp.zeros(()))

    def body(c, y):
        r[...] = r[...] * 2 + y
        return c, r[...]
    return lax.scan(body, 1.0, xs, reverse=True), r[...]


def made_in_scan(xs):
    def body(c, y):
        r = jax.new_ref(y)
        r[...] *= 2
        return c + r[...], None
    return lax.scan(body, 0.0, xs)


def in_fori(x):
    r = jax.new_ref(x)

    def body(i, _):
        r[...] = r[...] * 2
        return _
    lax.fori_loop(0, 3, body, 0)
    return r[...]


def in_fori_to_a_traced_bound(x, n):
    r = jax.new_ref(jnp.zeros(3))

    def body(i, _):
        r[i] = x * i
        return _
    lax.fori_loop(0, n, body, 0)
    return r[...]


def in_while(x):
    r = jax.new_ref(x)

    def body(c):
        r[...] += c
        return c + 1
    lax.while_loop(lambda c: c < 5, body, 0)
    return r[...]


def in_one_branch(p, x):
    r = jax.new_ref(x)

    def yes():
        r[...] += 1
    lax.cond(p, yes, lambda: None)
    return r[...]


def in_every_branch(n, x):
    r = jax.new_ref(x)

    def branch(k):
        def run():
            r[...] = r[...] + k
            return r[...]
        return run
    return lax.switch(n, [branch(k) for k in range(3)]), r[...]


def read_only(xs):
    r = jax.new_ref(xs)
    return lax.fori_loop(0, 3, lambda i, c: c + r[i], 0.0), lax.cond(
        xs[0] > 0, lambda: r[0], lambda: r[1])


def nested(xs):
    r = jax.new_ref(0.0)

    def outer(c, x):
        def inner(i, d):
            r[...] += x
            return d + r[...]
        return lax.fori_loop(0, 2, inner, c), None
    return lax.scan(outer, 0.0, xs)[0], r[...]


xs = jnp.arange(3.0)
for f, args in ((in_scan, (xs,)), (in_reversed_scan, (xs,)), (made_in_scan, (xs,)),
                (in_fori, (1.0,)), (in_fori_to_a_traced_bound, (2.0, 3)), (in_while, (1.0,)),
                (in_one_branch, (True, 1.0)), (in_every_branch, (2, 1.0)), (read_only, (xs,)),
                (nested, (xs,))):
    note(f.__name__ + ", jaxpr", str(jax.make_jaxpr(f)(*args)))
    jitted = jax.jit(f)
    for i in range(2):
        call(f"{f.__name__} {i}", lambda: jitted(*args))

call("eager", lambda: in_fori(jnp.float32(1)))
call("eager again", lambda: in_fori(jnp.float32(1)))
call("the other branch", lambda: jax.jit(in_one_branch)(False, 1.0))

box = jax.new_ref(jnp.zeros(3))


@jax.jit
def from_outside(x):
    def body(i, c):
        box[i] += x
        return c + box[i]
    return lax.fori_loop(0, 3, body, 0.0)


for i in range(2):
    call(f"from outside {i}", lambda: from_outside(1.0))
call("what is in the box", lambda: box[...])


@jax.jit
def as_argument(ref, xs):
    def body(c, x):
        ref[...] += x
        return c, None
    lax.scan(body, 0, xs)


for i in range(2):
    call(f"as an argument {i}", lambda: as_argument(box, xs))
call("what is in the box now", lambda: box[...])
