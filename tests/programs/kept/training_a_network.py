# shows: training a small network.
import jax, jax.numpy as jnp, numpy as np
def init(key, sizes):
    keys = jax.random.split(key, len(sizes))
    return [(jax.random.normal(k, (m, n)) * 0.1, jnp.zeros(n)) for k, m, n in zip(keys, sizes[:-1], sizes[1:])]
def predict(params, x):
    for w, b in params[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = params[-1]
    return x @ w + b
def loss(params, x, y):
    logits = predict(params, x)
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * jax.nn.one_hot(y, 3), axis=-1))
@jax.jit
def update(params, x, y, lr=0.1):
    l, g = jax.value_and_grad(loss)(params, x, y)
    return l, jax.tree.map(lambda p, g: p - lr * g, params, g)
params = call("init", lambda: init(jax.random.key(0), [4, 8, 3]))
x = np.ones((16, 4), np.float32)
y = np.arange(16) % 3
l, params = call("step 0", lambda: update(params, x, y))
l, params = call("step 1", lambda: update(params, x, y))
l, params = call("last batch", lambda: update(params, x[:5], y[:5]))
call("lr", lambda: update(params, x, y, 0.01))
call("eval", lambda: jnp.mean(jnp.argmax(predict(params, x), -1) == y))
