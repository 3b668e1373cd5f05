# Under ensure_compile_time_eval the lowering of jnp.take makes a constant as weak as its operand.
import jax, jax.numpy as jnp
@jax.jit
def f1(x, y):
    t0 = (y > 0) * y
    t1 = jnp.take(jnp.pad(jnp.ravel(t0), 1), jnp.array([0, 1]))
    return t0 + t1
with jax.ensure_compile_time_eval():
    call("f1", lambda: f1(jnp.ones((2, 3)), 2))
