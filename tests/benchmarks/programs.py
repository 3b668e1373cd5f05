"""The programs that are measured, as text: they time themselves, so that the same one
runs under CPython and in the browser."""

LOOKUPS = """import time, jax, jax.numpy as jnp, numpy as np
g = jax.jit(lambda x: x * 2)
x, xn = jnp.arange(3.0), np.arange(3, dtype=np.float32)
def all_calls():
    start = time.process_time()
    for _ in range({half}):
        g(x)
        g(xn)
    return time.process_time() - start
spent = []
call("all", lambda: spent.append(all_calls()))
note("seconds", spent[0])
"""
"""Half of the calls are answered by the fast path, half by a params hit."""

HIT = """import time, jax, jax.numpy as jnp
g = jax.jit(lambda x: x * 2)
x = jnp.arange(3.0)
def seconds(calls):
    start = time.process_time()
    for _ in range(calls):
        g(x)
    return (time.process_time() - start) / calls
found = []
call("all", lambda: (g(x), found.append(min(seconds(500) for _ in range(20)))))
note("seconds", found[0])
"""

MISS = """import time, jax, jax.numpy as jnp
x = jnp.arange(8.0)
def f(x, y):
    z = jnp.sin(x * y + 1.0) - jnp.cos(x)
    return jnp.sum(z / (1.0 + jnp.exp(-z)))
def seconds():
    g = jax.jit(lambda x, y: f(x, y))
    start = time.process_time()
    g(x, x)
    return time.process_time() - start
found = []
call("all", lambda: (seconds(), found.append(min(seconds() for _ in range(100)))))
note("seconds", found[0])
"""
"""Ten operations; the library's own functions have been traced before."""

HUNDRED = """import jax, jax.numpy as jnp
x, w = jnp.ones((8, 16)), jnp.ones((16, 16))

def layer(n):
    def dense(x, w):
        return jax.nn.relu(x @ w + n)
    def softmax(x, w):
        e = jnp.exp(x - x.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)
    def norm(x, w):
        centred = x - x.mean(axis=-1, keepdims=True)
        return centred / jnp.sqrt((centred ** 2).mean(axis=-1, keepdims=True) + n)
    def loss(x, w):
        return jnp.mean((jnp.tanh(x @ w) - n) ** 2)
    return jax.jit((dense, softmax, norm, loss)[n % 4])

def all_of_them():
    for n in range(100):
        layer(n)(x, w)

call("a hundred functions", all_of_them)
"""
"""Functions as people write them: a layer, a softmax, a norm, a loss."""

CHAINS = """import jax, jax.numpy as jnp
x = jnp.arange(8.0)

def chain(n):
    def f(x):
        for k in range(2):
            x = jnp.sin(x) * (n + k) + jnp.cos(x)
        return x.sum()
    return jax.jit(f)

def all_of_them():
    for n in range(100):
        chain(n)(x)

call("a hundred chains", all_of_them)
"""
"""Nine calls of the smallest functions of the library in each: for JAX little to compile,
for the model as many caches to ask."""

TRAINING = """import time
import jax, jax.numpy as jnp

@jax.jit
def step(params, x, y):
    def loss(p):
        return jnp.mean((x @ p["w"] + p["b"] - y) ** 2)
    value, slopes = jax.value_and_grad(loss)(params)
    return {name: params[name] - 0.1 * slopes[name] for name in params}, value

params = {"w": jnp.ones((8, 4)), "b": jnp.zeros(4)}
x, y = jnp.ones((16, 8)), jnp.ones((16, 4))

def chunk(count):
    global params
    began = time.thread_time()
    for _ in range(count):
        params, value = step(params, x, y)
    return time.thread_time() - began

chunk(1200)
print(min(chunk(50) for _ in range(40)))
"""
"""A small step, warm; the quickest of many short stretches: what the machine does besides
does not count."""

_STRETCHES = """
def chunk(count):
    began = time.thread_time()
    for _ in range(count):
        turn(x, y)
    return time.thread_time() - began

chunk(1200)
print(min(chunk(50) for _ in range(40)))
turn(x[:12], y[:12])
"""

FLAX = """import time
import jax, jax.numpy as jnp
import optax
from flax import linen as nn
from flax.training.train_state import TrainState

class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(4)(nn.relu(nn.Dense(32)(x)))

@jax.jit
def train_step(state, x, y):
    def loss(params):
        return jnp.mean((state.apply_fn(params, x) - y) ** 2)
    value, slopes = jax.value_and_grad(loss)(state.params)
    return state.apply_gradients(grads=slopes), value

x, y = jnp.ones((16, 8)), jnp.ones((16, 4))
net = Net()
state = TrainState.create(
    apply_fn=net.apply, params=net.init(jax.random.key(0), x), tx=optax.adam(1e-3))

def turn(x, y):
    global state
    state, value = train_step(state, x, y)
""" + _STRETCHES

EQUINOX = """import time
import jax, jax.numpy as jnp
import equinox as eqx
import optax

@eqx.filter_jit
def train_step(model, moments, x, y):
    def loss(model):
        return jnp.mean((jax.vmap(model)(x) - y) ** 2)
    value, slopes = eqx.filter_value_and_grad(loss)(model)
    updates, moments = adam.update(slopes, moments)
    return eqx.apply_updates(model, updates), moments, value

x, y = jnp.ones((16, 8)), jnp.ones((16, 4))
model = eqx.nn.MLP(8, 4, 32, 1, key=jax.random.key(0))
adam = optax.adam(1e-3)
moments = adam.init(eqx.filter(model, eqx.is_inexact_array))

def turn(x, y):
    global model, moments
    model, moments, value = train_step(model, moments, x, y)
""" + _STRETCHES
"""A training step as it is written with libraries, warm; its last batch is shorter."""
