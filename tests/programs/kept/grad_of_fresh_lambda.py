# A gradient of a lambda written in a loop: eager it costs little, jitted it compiles anew.
import jax
import jax.numpy as jnp

x = jnp.float32(2.0)
for i in range(3):
    call(f"grad of a fresh lambda {i}", lambda: jax.grad(lambda a: a * a)(x))
for i in range(2):
    call(f"jit of it {i}", lambda: jax.jit(jax.grad(lambda a: a * a))(x))
for k in (2, 3, 2):
    call(f"power {k}", lambda: jax.grad(lambda a: a ** k)(x))
for scale in (1.0, 2.0):
    call(f"closed over {scale}", lambda: jax.grad(lambda a: jnp.sin(scale * a))(x))


def make(n):
    @jax.jit
    def h(a):
        return a * n
    return h


for n in (2.0, 2.0, 3.0):
    call(f"fresh jitted {n}", lambda: jax.grad(make(n))(x))
kept = make(5.0)
for i in range(2):
    call(f"kept jitted {i}", lambda: jax.grad(kept)(x))
