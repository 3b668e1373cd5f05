# title: The cache that keeps objects alive
# kind: surprise
# about: fast_path
# decisive: second.scale(x)
# expected: an object that nobody uses any more is freed.
# happens: the fast path holds static values strongly: the instances live on in the keys of the method they called, until its cache is cleared.
# source: jaxlib/jax_jit.h: CallSignature; jax/_src/pjit.py: jit_evict_fn
import gc
import weakref
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
first, second = Model(2.0), Model(3.0)
watch = [weakref.ref(first), weakref.ref(second)]
call("first.scale(x)", lambda: first.scale(x))
call("second.scale(x)", lambda: second.scale(x))
del first, second
gc.collect()
note("alive after del", [ref() is not None for ref in watch])
note("entries of the method", Model.scale._cache_size())
Model.scale.clear_cache()
gc.collect()
note("entries after clear_cache()", Model.scale._cache_size())
