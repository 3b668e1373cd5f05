# title: A hit that runs Python
# kind: surprise
# about: fast_path
# decisive: scale(Box(x), factor) again
# expected: when the fast path answers, no Python runs.
# happens: to build the key, C++ calls your own code: a container is taken apart and the result put together, and a static value is hashed and compared, on every call.
# source: jaxlib/pytree.h; jaxlib/jax_jit.cc
import jax
import jax.numpy as jnp

ran = []

class Box:
    def __init__(self, value):
        self.value = value

def flatten(box):
    ran.append("flatten")
    return (box.value,), None

def unflatten(_, leaves):
    ran.append("unflatten")
    return Box(leaves[0])

jax.tree_util.register_pytree_node(Box, flatten, unflatten)

class Factor:
    def __init__(self, number):
        self.number = number

    def __hash__(self):
        ran.append("hash")
        return hash(self.number)

    def __eq__(self, other):
        ran.append("eq")
        return self.number == other.number

scale = jax.jit(lambda box, factor: Box(box.value * factor.number), static_argnums=1)
x = jnp.asarray([0.0, 1.0, 2.0])
factor, equal = Factor(2.0), Factor(2.0)
call("scale(Box(x), factor)", lambda: scale(Box(x), factor))
ran.clear()
call("scale(Box(x), factor) again", lambda: scale(Box(x), factor))
note("Python that ran in the hit", sorted(set(ran)))
ran.clear()
call("scale(Box(x), equal)", lambda: scale(Box(x), equal))
note("Python that ran with an equal factor", sorted(set(ran)))
