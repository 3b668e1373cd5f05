# title: How many devices there are
# kind: surprise
# about: disk
# decisive: g(x) with another device count
# expected: a program for one device does not care how many others there are.
# happens: the disk key holds a fingerprint of the whole platform: another number of devices, another file; the old number finds its file again.
# source: jax/_src/cache_key.py: _hash_accelerator_config
# processes: 3
import os
import jax
import jax.numpy as jnp
from jax import lax

jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"] + "/cache")
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
process = int(os.environ["CASE_PROCESS"])
jax.config.update("jax_num_cpu_devices", (1, 3, 1)[process])

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])
label = ("g(x)", "g(x) with another device count", "g(x) with the first count")[process]
call(label, lambda: g(x))
