# shows: Adam as a class with a static self.
import jax, jax.numpy as jnp
from functools import partial
class Adam:
    def __init__(self, lr=1e-3): self.lr = lr
    def init(self, p): return jax.tree.map(jnp.zeros_like, p), jax.tree.map(jnp.zeros_like, p), 0
    @partial(jax.jit, static_argnums=0)
    def step(self, params, grads, state):
        m, v, t = state
        t = t + 1
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, grads)
        v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, grads)
        params = jax.tree.map(lambda p, m, v: p - self.lr * m / (jnp.sqrt(v) + 1e-8), params, m, v)
        return params, (m, v, t)
opt = Adam()
params = {"w": jnp.ones((3, 2)), "b": jnp.zeros(2)}
state = opt.init(params)
loss = lambda p, x: ((x @ p["w"] + p["b"]) ** 2).mean()
for i in range(3):
    g = call(f"grad {i}", lambda: jax.grad(loss)(params, jnp.ones((4, 3))))
    params, state = call(f"step {i}", lambda: opt.step(params, g, state))
opt2 = Adam(1e-2)
call("other", lambda: opt2.step(params, g, state))
opt.lr = 5.0
call("stale", lambda: opt.step(params, g, state))
