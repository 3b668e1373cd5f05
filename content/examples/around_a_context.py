# title: The same call in two worlds
# about: A setting that is part of the key makes the function compile again, and then hit.
import jax
import jax.numpy as jnp

@jax.jit
def product(a, b):
    return a @ b

a = jnp.ones((4, 4))
product(a, a)

with jax.default_matmul_precision("float32"):
    product(a, a)
    product(a, a)

product(a, a)
