# Donated buffers that are used twice, and what deleted arrays still answer.
import jax
import jax.numpy as jnp
import numpy as np


def attempt(label, thunk):
    try:
        note(label, str(call(label, thunk)))
    except Exception as e:
        note(label, type(e).__name__ + ": " + str(e)[:300])


x = jnp.arange(3.0)
first = jax.jit(lambda a, b: (a + b, b), donate_argnums=0)
second = jax.jit(lambda a, b: (a, b + a), donate_argnums=1)
both = jax.jit(lambda a, b: (a + 1, b + 1), donate_argnums=(0, 1))
unused = jax.jit(lambda a, b: (a + b).sum(), donate_argnums=0)
dropped = jax.jit(lambda a, b: b * 2, donate_argnums=0)
for name, f in {"first": first, "second": second, "both": both, "unused": unused, "dropped": dropped}.items():
    y = x + 0
    attempt(f"{name}: compiled with one buffer", lambda: f(y, y))
    note(f"{name}: deleted", y.is_deleted())
    attempt(f"{name}: two buffers", lambda: f(x + 0, x + 1))
    z = x + 0
    attempt(f"{name}: one buffer", lambda: f(z, z))
    note(f"{name}: deleted then", z.is_deleted())
    attempt(f"{name}: one buffer again", lambda: f(z, z))
    attempt(f"{name}: two buffers again", lambda: f(x + 0, x + 1))
three = jax.jit(lambda t, n: (t[0] + t[1], t[2] * n), donate_argnums=0)
w = x + 0
attempt("in a tree", lambda: three((w, x + 1, w), 2.0))
attempt("ahead of time", lambda: first.lower(x, x).compile()(x, x))

for name, f in {"fast": jax.jit(lambda a, b: (a - b, b), donate_argnums=0), "kept": jax.jit(lambda a, b: (a - b).sum(), donate_argnums=0)}.items():
    attempt(f"{name}: two buffers", lambda: f(x + 0, x + 1))
    z = x + 0
    attempt(f"{name}: one buffer", lambda: f(z, z))
    note(f"{name}: deleted then", z.is_deleted())
    attempt(f"{name}: two buffers again", lambda: f(x + 0, x + 1))

a = jnp.ones(3)
attempt("donated", lambda: first(a, x))
attempt("donated again", lambda: first(a, x))
attempt("block_until_ready", lambda: a.block_until_ready())
attempt("jax.block_until_ready", lambda: jax.block_until_ready([a]))
attempt("bool", lambda: bool(a))
attempt("device_put", lambda: jax.device_put(a).is_deleted())
attempt("device_put there", lambda: jax.device_put(a, jax.devices()[0]))
a.delete()
attempt("deleted, too", lambda: first(a, x))
s = jnp.ones(())
s.delete()
attempt("bool of a scalar", lambda: bool(s))
attempt("empty", lambda: bool(jnp.ones(0)))
attempt("np.s_", lambda: (jnp.arange(12.0).reshape(3, 4)[np.s_[1:, 0]], np.index_exp[0, ::2], np.s_[3]))
