# title: A training loop that compiles twice
# about: The state starts as a Python number and comes back as an array; after that every step is a hit.
import jax
import jax.numpy as jnp

@jax.jit
def step(params, average, batch):
    loss = ((params - batch) ** 2).mean()
    return params - 0.1 * (params - batch), 0.9 * average + 0.1 * loss

params = jnp.zeros(3)
average = 0.0

for i in range(6):
    batch = jnp.full(3, float(i))
    params, average = step(params, average, batch)
