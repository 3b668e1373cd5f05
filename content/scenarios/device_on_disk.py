# title: The device on the file
# kind: surprise
# about: hlo disk
# decisive: g(x1)
# expected: one module, one file, whatever device it runs on.
# happens: the module is found, but on CPU the compile options name the device: the second device is a miss on disk.
# source: jax/_src/cache_key.py: _hash_serialized_compile_options
# env: XLA_FLAGS=--xla_force_host_platform_device_count=2
import os
import jax
import numpy as np
from jax import lax

jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"] + "/cache")
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)

def f(x):
    return lax.sin(x)

g = jax.jit(f)
xn = np.asarray([0.0, 1.0, 2.0], np.float32)
x0 = jax.device_put(xn, jax.devices()[0])
x1 = jax.device_put(xn, jax.devices()[1])
call("g(x0)", lambda: g(x0))
call("g(x1)", lambda: g(x1))
