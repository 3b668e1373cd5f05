# title: The name of an axis
# kind: surprise
# about: trace
# decisive: g(renamed)
# expected: with automatic sharding, the name of a mesh axis is only a name.
# happens: the type of an argument includes its mesh with names: another name traces again; the same devices in reverse order do not, and share the module.
# source: jax/_src/core.py: ShapedArray.sharding
# env: XLA_FLAGS=--xla_force_host_platform_device_count=2
import jax
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

def f(x):
    return lax.sin(x)

g = jax.jit(f)
devices = np.array(jax.devices())
xn = np.zeros(4, np.float32)
x = jax.device_put(xn, NamedSharding(Mesh(devices, ("x",)), P("x")))
reversed_ = jax.device_put(xn, NamedSharding(Mesh(devices[::-1], ("x",)), P("x")))
renamed = jax.device_put(xn, NamedSharding(Mesh(devices, ("y",)), P("y")))
call("g(x)", lambda: g(x))
call("g(reversed_)", lambda: g(reversed_))
call("g(renamed)", lambda: g(renamed))
