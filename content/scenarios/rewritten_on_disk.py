# title: Written another way
# kind: surprise
# about: trace disk
# decisive: written as products
# expected: another text of the function is another program, compiled again.
# happens: every cache in memory misses, but the operations of the module are the same ones under the same name, and the disk answers; a loop counts with wide integers when they are switched on, and is another module.
# source: jax/_src/lax/lax.py: _integer_pow_lowering; jax/_src/cache_key.py: get
import os
import jax
import jax.numpy as jnp
from jax import lax

jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"] + "/cache")
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
x = jnp.float32(2)

def f(x):
    return x ** 3

call("written as a power", lambda: jax.jit(f)(x))

def f(x):
    return x * x * x

call("written as products", lambda: jax.jit(f)(x))

@jax.checkpoint
def f(x):
    return x * x * x

call("checkpointed", lambda: jax.jit(f)(x))

def loop(x):
    return lax.fori_loop(0, 3, lambda i, y: y * 2, x)

call("a loop", lambda: jax.jit(loop)(x))
with jax.enable_x64(True):
    call("products, wide types", lambda: jax.jit(f)(x))
    call("a loop, wide types", lambda: jax.jit(loop)(x))

def noise(key):
    return jax.random.bits(key, (3,), "uint32")

key = jax.random.key(0)
call("random bits", lambda: jax.jit(noise)(key))
jax.clear_caches()
call("random bits, caches cleared", lambda: jax.jit(noise)(key))
with jax.enable_x64(True):
    call("random bits, wide types", lambda: jax.jit(noise)(key))
