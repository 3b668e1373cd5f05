# Algorithms as people write them with loops: unmarked calls, top to bottom.
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random


# k-means until nothing moves
def kmeans(points, centers):
    def assign(centers):
        return jnp.argmin(((points[:, None] - centers[None]) ** 2).sum(-1), axis=1)

    def step(state):
        centers, _, i = state
        labels = assign(centers)
        one_hot = jax.nn.one_hot(labels, centers.shape[0])
        new = one_hot.T @ points / jnp.maximum(one_hot.sum(0), 1)[:, None]
        return new, jnp.abs(new - centers).max(), i + 1

    return lax.while_loop(lambda s: (s[1] > 1e-3) & (s[2] < 20), step, (centers, jnp.inf, 0))


points = jnp.array([[0.0, 0], [0, 1], [4, 4], [5, 4]])
centers, moved, steps = jax.jit(kmeans)(points, points[:2])
print(centers, int(steps))


# hidden Markov model, forward algorithm in log space
@jax.jit
def forward(log_start, log_trans, log_obs):
    def step(alpha, obs):
        alpha = jax.nn.logsumexp(alpha[:, None] + log_trans, axis=0) + obs
        return alpha, alpha
    return lax.scan(step, log_start + log_obs[0], log_obs[1:])


alpha, alphas = forward(jnp.log(jnp.array([0.5, 0.5])),
                        jnp.log(jnp.array([[0.75, 0.25], [0.5, 0.5]])),
                        jnp.log(jnp.array([[0.5, 0.25], [0.25, 0.5], [0.5, 0.5]])))
print(alphas.shape)


# edit distance by rows
def edit_distance(a, b):
    first = jnp.arange(b.shape[0] + 1)

    def row(previous, x):
        def cell(left, inputs):
            above, diagonal, y = inputs
            best = jnp.minimum(jnp.minimum(left + 1, above + 1), diagonal + (x != y))
            return best, best
        start = previous[0] + 1
        _, cells = lax.scan(cell, start, (previous[1:], previous[:-1], b))
        return jnp.concatenate([start[None], cells]), None

    return lax.scan(row, first, a)[0][-1]


word = lambda s: jnp.asarray(np.array(list(s), np.uint8))
print(jax.jit(edit_distance)(word(b"kitten"), word(b"sitting")))


# random walk metropolis
@partial(jax.jit, static_argnames="n")
def metropolis(key, x, n):
    def log_p(x):
        return -0.5 * (x ** 2).sum()

    def step(x, key):
        k1, k2 = random.split(key)
        proposal = x + random.normal(k1, x.shape)
        accept = jnp.log(random.uniform(k2)) < log_p(proposal) - log_p(x)
        return jnp.where(accept, proposal, x), accept
    return lax.scan(step, x, random.split(key, n))


x, accepted = metropolis(random.key(0), jnp.zeros(2), 5)
print(accepted.shape)
x, accepted = metropolis(random.key(1), x, 5)


# exponential moving average, first by scan, then by associative_scan
def ema_scan(xs, decay=0.5):
    return lax.scan(lambda c, x: (decay * c + (1 - decay) * x,) * 2, 0.0, xs)[1]


def ema_parallel(xs, decay=0.5):
    def combine(a, b):
        return a[0] * b[0], a[1] * b[0] + b[1]
    return lax.associative_scan(combine, (jnp.full_like(xs, decay), (1 - decay) * xs))[1]


signal = jnp.arange(8.0)
print(ema_scan(signal)[-1], ema_parallel(signal)[-1])


# Mandelbrot
def escape_time(c):
    def body(state):
        z, n = state
        return z * z + c, n + 1
    return lax.while_loop(lambda s: (jnp.abs(s[0]) < 2) & (s[1] < 10), body, (jnp.zeros_like(c), 0))[1]


grid = jnp.array([[-1 + 0.5j, 0.3 + 0j], [0.5 + 0.5j, 1 + 1j]], jnp.complex64)
print(jax.jit(jax.vmap(jax.vmap(escape_time)))(grid))


# greedy decoding with a fixed buffer
@jax.jit
def decode(logits_table):
    def body(i, state):
        tokens, last = state
        token = jnp.argmax(logits_table[last])
        return tokens.at[i].set(token), token
    return lax.fori_loop(0, 5, body, (jnp.zeros(5, jnp.int32), jnp.int32(0)))[0]


print(decode(jnp.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])))


# Runge-Kutta, differentiated by its parameter
def rk4(f, y, ts):
    def step(y, t):
        h = 0.25
        k1 = f(y, t)
        k2 = f(y + h / 2 * k1, t + h / 2)
        k3 = f(y + h / 2 * k2, t + h / 2)
        k4 = f(y + h * k3, t + h)
        return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None
    return lax.scan(step, y, ts)[0]


sensitivity = jax.jit(jax.grad(lambda rate: rk4(lambda y, t: -rate * y, 1.0, jnp.arange(4) * 0.25)))
print(round(float(sensitivity(1.0)), 3))


# bisection with a cond in the loop
@jax.jit
def bisect(target):
    def body(i, bounds):
        low, high = bounds
        middle = (low + high) / 2
        return lax.cond(middle ** 3 < target, lambda: (middle, high), lambda: (low, middle))
    return lax.fori_loop(0, 12, body, (0.0, target))[0]


print(round(float(bisect(8.0)), 2))


# sieve with a while over numbers
@jax.jit
def primes():
    def body(state):
        mask, p = state
        multiples = (jnp.arange(40) % p == 0) & (jnp.arange(40) > p)
        return mask & ~multiples, p + 1
    return lax.while_loop(lambda s: s[1] ** 2 < 40, body, (jnp.arange(40) > 1, 2))[0].sum()


print(primes())


# accumulate gradients over microbatches
@jax.jit
def accumulated(w, xs, ys):
    def loss(w, x, y):
        return ((x @ w - y) ** 2).mean()

    def micro(total, batch):
        return jax.tree.map(jnp.add, total, jax.grad(loss)(w, *batch)), None
    return lax.scan(micro, jnp.zeros_like(w), (xs.reshape(2, 2, 2), ys.reshape(2, 2)))[0] / 2


print(accumulated(jnp.ones(2), jnp.arange(8.0).reshape(4, 2) / 8, jnp.ones(4)))
