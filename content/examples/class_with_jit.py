# title: A jitted method, static self
# about: Each new object is another static value; what changed inside an old one is not seen.
from functools import partial

import jax
import jax.numpy as jnp

class Layer:
    def __init__(self, factor):
        self.factor = factor

    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return x * self.factor

x = jnp.ones(3)
first = Layer(2.0)
first(x)
first(x)

second = Layer(2.0)
second(x)

first.factor = 10.0
first(x)
