# title: Unhashable here, welcome there
# kind: surprise
# about: fast_path
# decisive: scale(x, [2])
# expected: a list is refused as a static value and as metadata of a container alike.
# happens: metadata need not be hashable, only comparable: equal lists are answered by C++; a list as a static value is refused before any cache is asked.
# source: jaxlib/jax_jit.cc; jaxlib/pytree.h
import jax
import jax.numpy as jnp
from jax import lax

class Box:
    def __init__(self, value, meta):
        self.value = value
        self.meta = meta

jax.tree_util.register_pytree_node(
    Box, lambda box: ((box.value,), box.meta), lambda meta, leaves: Box(leaves[0], meta))

total = jax.jit(lambda box: lax.sin(box.value))
scale = jax.jit(lambda x, factors: x * factors[0], static_argnums=1)
x = jnp.asarray([0.0, 1.0, 2.0])

call("total(Box(x, [1]))", lambda: total(Box(x, [1])))
call("total(Box(x, [1])), equal list", lambda: total(Box(x, [1])))
call("scale(x, [2])", lambda: scale(x, [2]))
call("scale(x, (2,))", lambda: scale(x, (2,)))
