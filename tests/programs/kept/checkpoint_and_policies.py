# jax.checkpoint: eager, jitted, with policies, with static arguments; reused and made anew.
import jax
import jax.numpy as jnp


def block(x, w):
    h = jnp.sin(x @ w)
    return jnp.tanh(h @ w)


x, w = jnp.ones((2, 3)), jnp.eye(3)
remat = jax.checkpoint(block)
loss = lambda f: lambda w: jnp.sum(f(x, w))
for i in range(2):
    call(f"grad eager {i}", lambda: jax.grad(loss(remat))(w))
jitted = jax.jit(jax.grad(loss(remat)))
for i in range(2):
    call(f"jit grad {i}", lambda: jitted(w))
dots = jax.checkpoint(block, policy=jax.checkpoint_policies.dots_saveable)
for i in range(2):
    call(f"dots saveable {i}", lambda: jax.grad(loss(dots))(w))
every = jax.checkpoint(block, policy=jax.checkpoint_policies.everything_saveable)
call("everything saveable", lambda: jax.grad(loss(every))(w))
call("made anew", lambda: jax.grad(loss(jax.checkpoint(block)))(w))
call("forward only", lambda: remat(x, w))
call("remat of jit", lambda: jax.grad(loss(jax.remat(jax.jit(block))))(w))
flagged = jax.checkpoint(lambda a, flag: jnp.sin(a) if flag else a, static_argnums=1)
for flag in (True, False, True):
    call(f"static {flag}", lambda: jax.grad(lambda a: jnp.sum(flagged(a, flag)))(x))
call("nested", lambda: jax.grad(loss(jax.checkpoint(lambda a, b: remat(remat(a, b), b))))(w))
note("text", str(jax.make_jaxpr(jax.grad(lambda a: jax.checkpoint(jnp.sin)(a)))(1.0)))
