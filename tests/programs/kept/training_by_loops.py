# shows: training by loops.
import jax, jax.numpy as jnp
from jax import lax
@jax.jit
def rnn(w, h, xs):
    def cell(h, x):
        h = jnp.tanh(w @ h + x)
        return h, h
    return lax.scan(cell, h, xs)
w = jnp.eye(3) * 0.5
call("rnn", lambda: rnn(w, jnp.zeros(3), jnp.ones((5, 3))))
call("rnn len", lambda: rnn(w, jnp.zeros(3), jnp.ones((6, 3))))
loss = lambda w: rnn(w, jnp.zeros(3), jnp.ones((5, 3)))[0].sum()
call("grad rnn", lambda: jax.grad(loss)(w))
call("grad rnn again", lambda: jax.grad(loss)(w))
@jax.jit
def train(p, n):
    return lax.fori_loop(0, n, lambda i, p: p - 0.1 * jax.grad(lambda q: (q ** 2).sum())(p), p)
call("train", lambda: train(jnp.ones(3), 5))
call("train 6", lambda: train(jnp.ones(3), 6))
@jax.jit
def newton(x):
    return lax.while_loop(lambda s: jnp.abs(s[0] - s[1]) > 1e-5, lambda s: (s[1], 0.5 * (s[1] + 2 / s[1])), (x, 1.0))
call("newton", lambda: newton(3.0))
call("cond", lambda: jax.jit(lambda p, x: lax.cond(p, jnp.sin, jnp.cos, x))(True, 1.0))
call("batched cond", lambda: jax.vmap(lambda p, x: lax.cond(p, jnp.sin, jnp.cos, x))(jnp.array([True, False]), jnp.ones(2)))
call("map", lambda: lax.map(lambda x: x + 1, jnp.arange(3)))
@jax.custom_vjp
def clip(x): return x
clip.defvjp(lambda x: (x, None), lambda _, g: (jnp.clip(g, -1, 1),))
call("custom_vjp", lambda: jax.grad(lambda x: clip(x) * 5)(1.0))
call("ckpt", lambda: jax.grad(jax.checkpoint(lambda x: jnp.sin(jnp.sin(x))))(1.0))
