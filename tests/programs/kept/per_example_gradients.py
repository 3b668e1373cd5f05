# Per-example gradients: vmap of grad, clipped by their norms; eager, jitted, and of a jitted loss.
import jax
import jax.numpy as jnp


def loss(w, x, y):
    return (jnp.dot(x, w) - y) ** 2


w = jnp.array([1.0, -1.0, 0.5])
xs, ys = jnp.arange(6.0).reshape(2, 3), jnp.array([1.0, 2.0])
per = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))
for i in range(2):
    call(f"eager {i}", lambda: per(w, xs, ys))
jper = jax.jit(per)
for i in range(2):
    call(f"jitted {i}", lambda: jper(w, xs, ys))
inner = jax.vmap(jax.grad(jax.jit(loss)), in_axes=(None, 0, 0))
for i in range(2):
    call(f"of a jitted loss {i}", lambda: inner(w, xs, ys))
call("grad of a vmapped mean", lambda: jax.grad(
    lambda w: jnp.mean(jax.vmap(loss, in_axes=(None, 0, 0))(w, xs, ys)))(w))


@jax.jit
def clipped(w, xs, ys):
    g = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(w, xs, ys)
    norms = jnp.linalg.norm(g, axis=1, keepdims=True)
    return jnp.mean(g * jnp.minimum(1.0, 1.0 / norms), axis=0)


for i in range(2):
    call(f"clipped {i}", lambda: clipped(w, xs, ys))
call("vmap of value_and_grad", lambda: jax.vmap(jax.value_and_grad(loss), in_axes=(None, 0, 0))(w, xs, ys)[0])
call("vmap of relu grad", lambda: jax.vmap(jax.grad(lambda a: jax.nn.relu(a) * a))(ys))
call("vmap of checkpoint", lambda: jax.vmap(jax.grad(jax.checkpoint(lambda a: jnp.sin(jnp.sin(a)))))(ys))
call("grad of a vmapped custom_jvp", lambda: jax.grad(lambda a: jnp.sum(jax.vmap(jax.nn.relu)(a)))(ys))
call("jacfwd of relu", lambda: jax.jacfwd(jax.nn.relu)(ys))
call("jacrev of softmax", lambda: jax.jacrev(jax.nn.softmax)(ys))
