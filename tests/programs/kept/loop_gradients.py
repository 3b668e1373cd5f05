# Gradients through loops and branches: a training step, what is compiled again, what is found.
import jax
import jax.numpy as jnp
from jax import lax

xs = jnp.arange(3.0)


def body(c, x):
    return jnp.sin(c) * x, c


def total(w):
    return lax.scan(body, w, xs)[0]


def with_constant(w):
    return lax.scan(lambda c, x: (c * w + x, None), 0.0, xs)[0]


for i in range(2):
    call(f"eager gradient of scan {i}", lambda: jax.grad(total)(2.0))
for i in range(2):
    call(f"eager gradient, constant {i}", lambda: jax.grad(with_constant)(2.0))
g = jax.jit(jax.grad(total))
for i in range(2):
    call(f"jitted gradient of scan {i}", lambda: g(2.0))
h = jax.grad(jax.jit(total))
for i in range(2):
    call(f"gradient of a jitted scan {i}", lambda: h(2.0))
call("value and gradient", lambda: jax.value_and_grad(with_constant)(2.0))
call("forward", lambda: jax.jvp(total, (2.0,), (1.0,)))
call("forward again", lambda: jax.jvp(total, (2.0,), (1.0,)))
y, pull = jax.vjp(total, 2.0)
for i in range(2):
    call(f"pullback {i}", lambda: pull(1.0))
y, push = jax.linearize(total, 2.0)
for i in range(2):
    call(f"linearized {i}", lambda: push(1.0))
call("second derivative", lambda: jax.grad(jax.grad(total))(2.0))
call("jitted second derivative", lambda: jax.jit(jax.grad(jax.grad(with_constant)))(2.0))
call("fori", lambda: jax.grad(lambda w: lax.fori_loop(0, 3, lambda i, c: c * w, 1.0))(2.0))
call("map", lambda: jax.grad(lambda x: lax.map(lambda y: y * y, x).sum())(xs))

params = {"w": jnp.eye(2), "b": jnp.zeros(2)}
seq = jnp.arange(6.0).reshape(3, 2) / 8


def loss(params, seq):
    def step(h, x):
        h = jnp.tanh(params["w"] @ h + x + params["b"])
        return h, h.sum()
    h, sums = lax.scan(step, jnp.zeros(2), seq)
    return (h ** 2).sum() + sums.mean()


@jax.jit
def update(params, seq):
    value, grads = jax.value_and_grad(loss)(params, seq)
    return value, jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


for i in range(3):
    def step():
        global params
        value, params = update(params, seq)
        return value
    call(f"training step {i}", step)
call("training step, longer", lambda: update(params, jnp.concatenate([seq, seq]))[0])


@jax.jit
def train(params, seq):
    def one(params, _):
        value, grads = jax.value_and_grad(loss)(params, seq)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value
    return lax.scan(one, params, None, length=3)


call("the whole training as one scan", lambda: train(params, seq)[1])
call("and again", lambda: train(params, seq)[1])


def choose(x):
    return lax.cond(x > 0, jnp.sin, lambda x: x * x, x)


for i in range(2):
    call(f"eager gradient of cond {i}", lambda: jax.grad(choose)(1.0))
c = jax.jit(jax.grad(choose))
call("jitted gradient of cond", lambda: c(1.0))
call("jitted gradient of cond, other branch", lambda: c(-1.0))
call("gradient of a jitted cond", lambda: jax.grad(jax.jit(choose))(1.0))
call("gradient of cond, mapped", lambda: jax.jit(jax.vmap(jax.grad(choose)))(xs - 1))
s = jax.jit(jax.grad(lambda x, i: lax.switch(i, [jnp.sin, jnp.cos, lambda x: 3 * x], x)))
call("gradient of switch", lambda: s(1.0, 2))
call("gradient of switch, other branch", lambda: s(1.0, 0))


def loop(x, n):
    return lax.fori_loop(0, n, lambda i, c: c * x, 1.0)


call("forward through while", lambda: jax.jvp(lambda x: loop(x, jnp.int32(3)), (2.0,), (1.0,)))
f = jax.jit(lambda x, n: jax.jvp(lambda x: loop(x, n), (x,), (1.0,)))
call("jitted forward through while", lambda: f(2.0, 3))
call("jitted forward through while, other bound", lambda: f(2.0, 4))
call("backward through while", lambda: jax.jit(jax.grad(loop))(2.0, 3))
call("linearized while", lambda: jax.linearize(
    lambda x: lax.while_loop(lambda c: c < 9, lambda c: c * x, x), 2.0)[0])


def newton(a):
    return lax.fori_loop(0, 5, lambda i, x: 0.5 * (x + a / x), a)


call("gradient of newton's method", lambda: jax.grad(newton)(2.0))
call("per sample", lambda: jax.jit(jax.vmap(jax.grad(newton)))(xs + 1))
note("how often it prints", str(jax.make_jaxpr(jax.grad(newton))(2.0)).count("scan["))
