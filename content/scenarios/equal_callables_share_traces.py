# title: Equal, but not the same
# kind: surprise
# about: fast_path trace lower
# decisive: jax.jit(Scale(2.0))(x), an equal one
# expected: two equal callables are two functions to jax.
# happens: C++ compares pointers and misses; the caches below compare with ==: the second object uses the trace and the executable of the first, as long as the first lives.
# source: jaxlib/weakref_lru_cache.cc
import gc
from dataclasses import dataclass
import jax
import jax.numpy as jnp

@dataclass(frozen=True)
class Scale:
    factor: float

    def __call__(self, x):
        return x * self.factor

x = jnp.asarray([0.0, 1.0, 2.0])
first, second = Scale(2.0), Scale(2.0)
call("jax.jit(Scale(2.0))(x)", lambda: jax.jit(first)(x))
call("jax.jit(Scale(2.0))(x), an equal one", lambda: jax.jit(second)(x))
del first, second
gc.collect()
third = Scale(2.0)
call("jax.jit(Scale(2.0))(x), the others gone", lambda: jax.jit(third)(x))
