import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(0)
data = rng.normal(size=(1000, 8)).astype(np.float32)
target = data @ np.arange(8, dtype=np.float32)


@jax.jit
def step(params, lr, x, y):
    def loss(w):
        return jnp.mean((x @ w - y) ** 2)

    value, slope = jax.value_and_grad(loss)(params)
    return params - lr * slope, value


def batches(size):
    for start in range(0, len(data), size):
        yield data[start:start + size], target[start:start + size]


def evaluate(params):
    error = jax.jit(lambda w: jnp.abs(data @ w - target).max())
    return float(error(params))


params = jnp.zeros(8)
for epoch in range(6):
    lr = 0.05 if epoch < 3 else jnp.float32(0.01)
    for x, y in batches(48):
        params, value = step(params, lr, x, y)
    print(f"epoch {epoch}: loss {float(value):.4f}, worst {evaluate(params):.4f}")
