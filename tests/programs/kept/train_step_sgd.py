# A training step as people write it: a dict of parameters, value_and_grad, SGD by tree_map.
import jax
import jax.numpy as jnp


def predict(params, x):
    h = jnp.tanh(x @ params["w1"] + params["b1"])
    return h @ params["w2"] + params["b2"]


def loss_fn(params, x, y):
    return jnp.mean((predict(params, x) - y) ** 2)


@jax.jit
def step(params, x, y, lr=0.1):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    params = jax.tree.map(lambda p, g: p - lr * g, params, grads)
    return params, loss


params = {"w1": jnp.ones((3, 4)) * 0.1, "b1": jnp.zeros(4), "w2": jnp.ones((4, 1)) * 0.2,
          "b2": jnp.zeros(1)}
x = jnp.arange(6.0).reshape(2, 3)
y = jnp.array([[1.0], [2.0]])

for i in range(3):
    params, loss = call(f"step {i}", lambda: step(params, x, y))
    note(f"loss {i}", round(float(loss), 3))
call("other learning rate", lambda: step(params, x, y, lr=0.01)[1])
call("other batch", lambda: step(params, x[:1], y[:1])[1])
call("eager value_and_grad", lambda: jax.value_and_grad(loss_fn)(params, x, y)[0])
call("eager value_and_grad again", lambda: jax.value_and_grad(loss_fn)(params, x, y)[0])
