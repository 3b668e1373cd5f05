# title: Objects that hash by their contents
# kind: surprise
# about: fast_path
# decisive: holding an array
# expected: hash and equality by contents make any object a good static self.
# happens: a changed number is noticed and equal objects share a program; but an array has no hash, and an object that holds one cannot be a key.
# source: jaxlib/jax_jit.cc: CallSignature
from functools import partial
import jax
import jax.numpy as jnp

class Model:
    def __init__(self, factor):
        self.factor = factor

    def __hash__(self):
        return hash(self.factor)

    def __eq__(self, other):
        return self.factor == other.factor

    @partial(jax.jit, static_argnums=0)
    def scale(self, x):
        return x * self.factor

x = jnp.asarray([0.0, 1.0, 2.0])
model = Model(2.0)
call("model.scale(x)", lambda: model.scale(x))
call("an equal model", lambda: Model(2.0).scale(x))
model.factor = 10.0
call("model.scale(x), factor changed", lambda: model.scale(x))
holding = Model(jnp.float32(2))
call("holding an array", lambda: holding.scale(x))
