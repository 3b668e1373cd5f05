# title: Two spellings of one sharding
# kind: minimal
# about: compile
# decisive: g(b)
# expected: P('x') and P('x', None) are the same sharding.
# happens: C++ and lowering's outer key compare them as written and miss; the module is keyed on what they mean, so module and executable are found.
# source: jax/_src/interpreters/pxla.py: SemanticallyEqualShardings
# env: XLA_FLAGS=--xla_force_host_platform_device_count=2
import jax
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

def f(x):
    return lax.sin(x)

g = jax.jit(f)
mesh = jax.make_mesh((2,), ("x",), axis_types=(AxisType.Auto,))
xn = np.zeros((4, 2), np.float32)
a = jax.device_put(xn, NamedSharding(mesh, P("x")))
b = jax.device_put(xn, NamedSharding(mesh, P("x", None)))
call("g(a)", lambda: g(a))
call("g(b)", lambda: g(b))
