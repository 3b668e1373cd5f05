# Gradients with jit disabled, with NaN checks, with leaks, with effects inside.
import jax
import jax.numpy as jnp

x = jnp.array([1.0, 4.0])
f = jax.jit(lambda a: jnp.sum(jnp.sqrt(a)))
call("plain", lambda: jax.grad(f)(x))
with jax.disable_jit():
    call("jit disabled", lambda: jax.grad(f)(x))
call("plain again", lambda: jax.grad(f)(x))
seen = []


def leaky(a):
    seen.append(a)
    return a * 2


call("leak", lambda: jax.grad(leaky)(1.0))
note("type of the leak", type(seen[0]).__name__)


def use():
    try:
        return jnp.sin(seen[0])
    except Exception as e:
        return None


call("leak used", use)
try:
    seen[0] + 1
except Exception as e:
    note("leak used, why not", type(e).__name__)


@jax.jit
def printing(a):
    jax.debug.print("a = {}", a)
    return jnp.sum(a ** 2)


for i in range(2):
    call(f"debug.print {i}", lambda: jax.grad(printing)(x))
note("printed jvp tracer", str(jax.jvp(lambda a: note("t", str(a)) or a, (1.0,), (2.0,))[1]))
jax.grad(lambda a: note("g", str(a)[:30]) or a)(1.0)
with jax.debug_nans(True):
    def bad():
        try:
            return jax.grad(lambda a: jnp.sqrt(a) * 0.0)(0.0)
        except FloatingPointError as e:
            return None
    call("nan", bad)
call("clear", lambda: jax.clear_caches())
call("after clear", lambda: jax.grad(f)(x))
call("after clear again", lambda: jax.grad(f)(x))
