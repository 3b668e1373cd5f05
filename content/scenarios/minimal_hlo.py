# title: The same array on another device
# kind: minimal
# about: hlo
# decisive: g(x1)
# expected: moving the argument to another device lowers the function again.
# happens: lowering's outer key holds the device and misses; the StableHLO module does not depend on the device and is found; XLA compiles it once more.
# source: jax/_src/interpreters/pxla.py: _cached_lowering_to_hlo
# env: XLA_FLAGS=--xla_force_host_platform_device_count=2
import jax
import numpy as np
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
xn = np.arange(3, dtype=np.float32)
x0 = jax.device_put(xn, jax.devices()[0])
x1 = jax.device_put(xn, jax.devices()[1])
call("g(x0)", lambda: g(x0))
call("g(x1)", lambda: g(x1))
