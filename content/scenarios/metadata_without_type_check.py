# title: Metadata without a type check
# kind: surprise
# about: fast_path
# decisive: total(Box(x, True))
# expected: a container with other metadata is another structure.
# happens: metadata is compared with == and nothing else: an int, an equal float, an equal bool are one structure, and so are two equal lists, hashable or not.
# source: jaxlib/pytree.h
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
x = jnp.asarray([0.0, 1.0, 2.0])

call("total(Box(x, 1))", lambda: total(Box(x, 1)))
call("total(Box(x, 1.0))", lambda: total(Box(x, 1.0)))
call("total(Box(x, True))", lambda: total(Box(x, True)))
call("total(Box(x, 2))", lambda: total(Box(x, 2)))
