# title: Callables that cannot be keys
# kind: surprise
# about: params
# decisive: unhashable callable
# expected: anything that can be called can be jitted and called.
# happens: the Python caches refer to a function weakly and by hash: one that allows no weak reference, or has no hash, raises at the call.
# source: jaxlib/weakref_lru_cache.cc
import jax
import jax.numpy as jnp

class Slotted:
    __slots__ = ()

    def __call__(self, x):
        return x * 2.0

class Unhashable:
    def __call__(self, x):
        return x * 2.0

    def __eq__(self, other):
        return self is other

x = jnp.asarray([0.0, 1.0, 2.0])
slotted, unhashable = Slotted(), Unhashable()
call("callable without weak references", lambda: jax.jit(slotted)(x))
call("unhashable callable", lambda: jax.jit(unhashable)(x))
