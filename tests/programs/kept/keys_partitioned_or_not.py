# expected: whether the generator can be partitioned is a setting of the trace alone
# happens: it decides how bits and splits are lowered, as it was when they were traced: other
#   modules, other numbers
# source: jax/_src/random/prng.py: random_bits_lowering, iterated_vmap_binary_bcast
import os
import jax, jax.numpy as jnp, numpy as np
jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"])
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
k = jax.random.key(0)
u = np.ones((2,), np.uint32)
def twice(name, f, *args):
    f.__name__ = f.__qualname__ = "f"
    for on in (False, True):
        with jax.threefry_partitionable(on):
            call(f"{name} {on}", lambda: jax.jit(f)(*args))
            call(f"{name} eager {on}", lambda: f(*args))
for kind, key in (("typed", k), ("raw", u)):
    twice(f"{kind} split", lambda k: jax.random.split(k), key)
    twice(f"{kind} split 3", lambda k: jax.random.split(k, 3), key)
    twice(f"{kind} bits", lambda k: jax.random.bits(k, (3,)), key)
    twice(f"{kind} fold", lambda k: jax.random.fold_in(k, 1), key)
    twice(f"{kind} uniform", lambda k: jax.random.uniform(k), key)
    twice(f"{kind} normal", lambda k: jax.random.normal(k, (2,)), key)
    twice(f"{kind} permutation", lambda k: jax.random.permutation(k, 3), key)
    twice(f"{kind} mapped", lambda k: jax.vmap(lambda i: jax.random.fold_in(k, i))(jnp.arange(2)), key)
    twice(f"{kind} scanned", lambda k: jax.lax.scan(lambda k, _: (jax.random.split(k)[0], None), k, None, length=2)[0], key)
twice("seed", lambda: jax.random.key(0))
f = jax.jit(lambda k: jax.random.bits(k, (3,)))
traced = f.trace(k)
with jax.threefry_partitionable(False):
    call("lowered later", lambda: traced.lower().compile()(k))
