# grad of a jitted function, jit of grad, and both nested; what the second call finds.
import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    return jnp.sum(jnp.sin(x) * x)


g = jax.grad(f)
x = jnp.arange(4.0)
for i in range(3):
    call(f"grad(jit f) {i}", lambda: g(x))
call("jax.grad(f) written again", lambda: jax.grad(f)(x))
call("another shape", lambda: g(jnp.arange(3.0)))
call("a scalar", lambda: g(2.0))
call("the function itself", lambda: f(x))
jg = jax.jit(jax.grad(f))
for i in range(2):
    call(f"jit(grad(jit f)) {i}", lambda: jg(x))
call("jit(grad f) made again", lambda: jax.jit(jax.grad(f))(x))
plain = jax.jit(jax.grad(lambda a: jnp.sum(a ** 3)))
for i in range(2):
    call(f"jit(grad(lambda)) {i}", lambda: plain(x))
note("value", [float(v) for v in plain(x)])
