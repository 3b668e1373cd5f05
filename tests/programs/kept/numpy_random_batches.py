# Batches drawn with NumPy's generators: the numbers decide which sizes and branches are seen.
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(0)
X = rng.normal(size=(32, 3)).astype(np.float32)
y = (X @ rng.uniform(-1, 1, 3) > 0).astype(np.float32)


@jax.jit
def step(w, xb, yb):
    def loss(w):
        p = jax.nn.sigmoid(xb @ w)
        return -jnp.mean(yb * jnp.log(p + 1e-7) + (1 - yb) * jnp.log(1 - p + 1e-7))
    return w - 0.5 * jax.grad(loss)(w)


w = jnp.zeros(3)
for epoch in range(2):
    order = rng.permutation(len(X))
    for batch in np.split(order, 4):
        w = step(w, X[batch], y[batch])

for n in rng.integers(1, 4, size=5):
    w = step(w, X[:n], y[:n])

np.random.seed(1)
for _ in range(4):
    n = np.random.randint(4, 7)
    w = step(w, np.random.randn(n, 3), np.random.rand(n))

state = np.random.RandomState(3)
items = np.arange(6)
state.shuffle(items)
jax.jit(lambda x, k: x * k, static_argnums=1)(w, int(items[0]))
jax.jit(lambda x, k: x * k)(w, rng.random())
jax.jit(lambda x, k: x * k)(w, state.choice(5, 3))
