# title: A method that sees no change
# kind: surprise
# about: fast_path
# decisive: model.scale(x), factor changed
# expected: a method sees the current value of an attribute.
# happens: with a static self the object is the key and the attribute a constant of the program: changing it changes neither, and the old result comes back.
# source: jaxlib/jax_jit.cc: CallSignature
from functools import partial
import jax
import jax.numpy as jnp

class Model:
    def __init__(self, factor):
        self.factor = factor

    @partial(jax.jit, static_argnums=0)
    def scale(self, x):
        return x * self.factor

x = jnp.asarray([0.0, 1.0, 2.0])
model = Model(2.0)
call("model.scale(x)", lambda: model.scale(x))
model.factor = 10.0
call("model.scale(x), factor changed", lambda: model.scale(x))
call("another model", lambda: Model(10.0).scale(x))
