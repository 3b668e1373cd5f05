# title: An object whose numbers are arguments
# kind: surprise
# about: fast_path
# decisive: model.scale(x), factor changed
# expected: a method needs a static self.
# happens: registered as a container, the object is taken apart at every call: its number is an ordinary argument, changes are seen, and all objects share one program.
# source: jaxlib/pytree.h
import jax
import jax.numpy as jnp

class Model:
    def __init__(self, factor):
        self.factor = factor

    @jax.jit
    def scale(self, x):
        return x * self.factor

jax.tree_util.register_pytree_node(
    Model, lambda model: ((model.factor,), None), lambda _, leaves: Model(*leaves))

x = jnp.asarray([0.0, 1.0, 2.0])
model = Model(2.0)
call("model.scale(x)", lambda: model.scale(x))
model.factor = 10.0
call("model.scale(x), factor changed", lambda: model.scale(x))
call("another model", lambda: Model(3.0).scale(x))
note("entries of the method", Model.scale._cache_size())
