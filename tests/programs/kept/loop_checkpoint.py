# Loops and jax.checkpoint: what is kept for the way back, and what is computed again.
import jax
import jax.numpy as jnp
from jax import lax

x = jnp.arange(3.0)


def text(label, function, *args):
    try:
        note(label, str(jax.make_jaxpr(function)(*args)))
    except Exception as error:
        note(label, f"{type(error).__name__}: {error}")


def body(c, y):
    return jnp.sin(jnp.sin(c) * y), c


def total(w, body=body):
    return lax.scan(body, w, x)[0]


text("a body that is computed again", jax.grad(lambda w: total(w, jax.checkpoint(body))), 2.0)
text("a scan that is computed again", jax.grad(jax.checkpoint(total)), 2.0)
text("a scan and more", jax.grad(jax.checkpoint(lambda w: jnp.sin(total(jnp.cos(w))))), 2.0)
text("a cond that is computed again", jax.grad(jax.checkpoint(
    lambda w: lax.cond(w > 0, jnp.sin, lambda w: w * w, w))), 2.0)
text("a cond in a scan that is computed again", jax.grad(lambda w: total(w, jax.checkpoint(
    lambda c, y: (lax.cond(y > 1, jnp.sin, jnp.cos, c * y), None)))), 2.0)
text("a checkpoint, not differentiated", jax.checkpoint(total), 2.0)
text("a scan that is computed again, twice", jax.grad(jax.grad(jax.checkpoint(total))), 2.0)
text("forward over a scan that is computed again", lambda w: jax.jvp(
    jax.grad(jax.checkpoint(total)), (w,), (w,)), 2.0)
text("a while that is computed again", lambda w: jax.jvp(jax.checkpoint(
    lambda w: lax.while_loop(lambda c: c < 9, lambda c: c * w, w)), (w,), (w,)), 2.0)

plain = jax.jit(jax.grad(total))
again = jax.jit(jax.grad(lambda w: total(w, jax.checkpoint(body))))
whole = jax.jit(jax.grad(jax.checkpoint(total)))
for name, f in (("plain", plain), ("body", again), ("whole", whole)):
    for i in range(2):
        call(f"{name} {i}", lambda: f(2.0))
call("eager, body", lambda: jax.grad(lambda w: total(w, jax.checkpoint(body)))(2.0))
call("eager, whole", lambda: jax.grad(jax.checkpoint(total))(2.0))
call("eager, whole again", lambda: jax.grad(jax.checkpoint(total))(2.0))
