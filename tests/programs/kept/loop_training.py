# The same training loop in Python, as a scan, as a fori_loop and as a while_loop.
import jax
import jax.numpy as jnp
from jax import lax

xs = jnp.linspace(-1.0, 1.0, 8)
ys = 3.0 * xs - 0.5


def gradient(params, x, y):
    error = params["w"] * x + params["b"] - y
    return {"w": (error * x).mean(), "b": error.mean()}


def update(params, x, y, rate=0.5):
    return jax.tree.map(lambda p, g: p - rate * g, params, gradient(params, x, y))


start = {"w": jnp.zeros(()), "b": jnp.zeros(())}
step = jax.jit(update)


def in_python(params, n):
    for _ in range(n):
        params = step(params, xs, ys)
    return params


def as_scan(params, n):
    def body(params, _):
        return update(params, xs, ys), params["w"]
    return lax.scan(body, params, None, length=n)


def as_fori(params, n):
    return lax.fori_loop(0, n, lambda i, p: update(p, xs, ys), params)


def as_while(params, tolerance):
    def go_on(state):
        params, i = state
        g = gradient(params, xs, ys)
        return (jnp.abs(g["w"]) > tolerance) & (i < 100)

    def body(state):
        params, i = state
        return update(params, xs, ys), i + 1
    return lax.while_loop(go_on, body, (params, 0))


call("in Python", lambda: in_python(start, 3))
call("in Python again", lambda: in_python(start, 3))
call("scan", lambda: as_scan(start, 3))
call("scan again", lambda: as_scan(start, 3))
call("fori", lambda: as_fori(start, 3))
call("fori again", lambda: as_fori(start, 3))
call("while", lambda: as_while(start, 0.1))

scan3 = jax.jit(as_scan, static_argnums=1)
call("jitted scan", lambda: scan3(start, 3))
call("jitted scan again", lambda: scan3(start, 3))
call("jitted scan, more steps", lambda: scan3(start, 4))
fori = jax.jit(as_fori)
call("jitted fori, traced bound", lambda: fori(start, 3))
call("jitted fori, another bound", lambda: fori(start, 30))
static = jax.jit(as_fori, static_argnums=1)
call("jitted fori, static bound", lambda: static(start, 3))
call("jitted fori, another static bound", lambda: static(start, 4))
until = jax.jit(as_while)
call("jitted while", lambda: until(start, 0.1))
call("jitted while, tighter", lambda: until(start, 0.001))

data = jnp.stack([xs, ys], 1)


@jax.jit
def epochs(params):
    def one(params, _):
        def batch(params, pair):
            return update(params, pair[0], pair[1], 0.1), None
        return lax.scan(batch, params, data)
    return lax.scan(one, params, None, length=2)[0]


call("epochs of batches", lambda: epochs(start))
call("epochs of batches again", lambda: epochs(start))


def momentum(state, i):
    params, velocity = state
    g = gradient(params, xs, ys)
    velocity = jax.tree.map(lambda v, g: 0.9 * v + g, velocity, g)
    params = jax.tree.map(lambda p, v: p - 0.1 * v / (i + 1), params, velocity)
    return (params, velocity), params["b"]


call("steps counted", lambda: lax.scan(momentum, (start, start), jnp.arange(4)))
call("steps counted again", lambda: lax.scan(momentum, (start, start), jnp.arange(4)))
call("steps as floats", lambda: lax.scan(momentum, (start, start), jnp.arange(4.0)))
