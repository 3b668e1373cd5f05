"""Gradients per example, Jacobians, and functions with rules of their own, mapped."""

import jax
import jax.numpy as jnp


def loss(w, x, y):
    return jnp.sum((jnp.tanh(x @ w) - y) ** 2)


w = jnp.ones((3, 2)) * 0.1
xs, ys = jnp.arange(12.0).reshape(4, 3) / 10, jnp.ones((4, 2))

per_example = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))
call("per example", lambda: per_example(w, xs, ys))
call("per example again", lambda: per_example(w, xs, ys))
fast = jax.jit(per_example)
call("jitted", lambda: fast(w, xs, ys))
call("jitted again", lambda: fast(w, xs, ys))
call("jitted, other batch", lambda: fast(w, xs[:2], ys[:2]))
call("values too", lambda: jax.vmap(jax.value_and_grad(loss), (None, 0, 0))(w, xs, ys))
call("of a jitted loss", lambda: jax.vmap(jax.grad(jax.jit(loss)), (None, 0, 0))(w, xs, ys))
call("gradient of the mean", lambda: jax.grad(
    lambda w: jnp.mean(jax.vmap(loss, (None, 0, 0))(w, xs, ys)))(w))
call("gradient of the mean, jitted loss", lambda: jax.grad(
    lambda w: jnp.mean(jax.vmap(jax.jit(loss), (None, 0, 0))(w, xs, ys)))(w))
call("jvp mapped over tangents", lambda: jax.vmap(
    lambda t: jax.jvp(jnp.sin, (xs[0],), (t,))[1])(jnp.eye(3)))
call("vjp mapped over cotangents", lambda: jax.vmap(jax.vjp(jnp.sin, xs[0])[1])(jnp.eye(3)))


@jax.custom_jvp
def safe_log(x):
    return jnp.log(jnp.maximum(x, 1e-6))


@safe_log.defjvp
def safe_log_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    return safe_log(x), t / jnp.maximum(x, 1e-6)


@jax.custom_vjp
def clipped(x):
    return x * 2


clipped.defvjp(lambda x: (clipped(x), x), lambda x, g: (jnp.clip(g, -1, 1) * x,))

call("custom_jvp", lambda: jax.vmap(safe_log)(xs))
call("custom_jvp, gradient", lambda: jax.vmap(jax.grad(lambda v: safe_log(v).sum()))(xs))
call("custom_jvp, outer gradient", lambda: jax.grad(lambda v: jax.vmap(safe_log)(v).sum())(xs))
call("custom_vjp", lambda: jax.vmap(clipped)(xs))
call("custom_vjp, gradient", lambda: jax.vmap(jax.grad(lambda v: clipped(v).sum()))(xs))
call("custom_vjp, outer gradient", lambda: jax.grad(lambda v: jax.vmap(clipped)(v).sum())(xs))
call("jitted custom_jvp", lambda: jax.vmap(jax.jit(safe_log))(xs))
call("jitted custom_jvp again", lambda: jax.vmap(jax.jit(safe_log))(xs))
call("relu", lambda: jax.vmap(jax.grad(lambda v: jax.nn.relu(v).sum()))(xs))
call("relu, mapped inside", lambda: jax.grad(lambda v: jax.vmap(jax.nn.relu)(v).sum())(xs))
note("jaxpr", str(jax.make_jaxpr(jax.vmap(safe_log))(xs)))
note("jaxpr of the gradient", str(jax.make_jaxpr(per_example)(w, xs, ys)))
