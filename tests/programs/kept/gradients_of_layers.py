# Eager gradients of what networks are made of, each taken twice.
import jax
import jax.numpy as jnp

x = jnp.array([[0.5, -1.0, 2.0], [1.0, 0.0, -0.5]])
w = jnp.ones((3, 2)) * 0.3
labels = jnp.array([0, 1])

losses = {
    "relu": lambda a: jnp.sum(jax.nn.relu(a)),
    "maximum": lambda a: jnp.sum(jnp.maximum(a, 0)),
    "where": lambda a: jnp.sum(jnp.where(a > 0, a, 0.1 * a)),
    "softmax": lambda a: jax.nn.softmax(a)[0, 0],
    "log_softmax": lambda a: -jnp.mean(jax.nn.log_softmax(a @ w)[jnp.arange(2), labels]),
    "logsumexp": lambda a: jnp.sum(jax.nn.logsumexp(a, axis=-1)),
    "matmul": lambda a: jnp.sum(a @ w),
    "einsum": lambda a: jnp.einsum("ij,jk->", a, w),
    "mean square": lambda a: jnp.mean((a - 1.0) ** 2),
    "norm": lambda a: jnp.linalg.norm(a),
    "layer norm": lambda a: jnp.sum(((a - a.mean(-1, keepdims=True)) / (a.std(-1, keepdims=True) + 1e-5))[:, 0]),
    "gelu": lambda a: jnp.sum(jax.nn.gelu(a)),
    "sigmoid": lambda a: jnp.sum(jax.nn.sigmoid(a)),
    "max": lambda a: jnp.max(a),
    "indexing": lambda a: a[0, 1] * a[1, 2],
    "concatenate": lambda a: jnp.sum(jnp.concatenate([a, a * 2])[1:]),
    "one hot": lambda a: jnp.sum(jax.nn.one_hot(labels, 2) * (a @ w)),
    "abs": lambda a: jnp.sum(jnp.abs(a)),
}
for name, f in losses.items():
    for i in range(2):
        call(f"{name} {i}", lambda: jax.grad(f)(x))
