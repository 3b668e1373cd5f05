# title: Where results lie
# kind: surprise
# about: fast_path lower
# decisive: turned(y)
# expected: a result lies where its argument lay, so the next call is the same call.
# happens: XLA chooses how a result is cut; a product fed back is cut as its argument was, and C++ answers; a transposed matrix is cut the other way, and the next call is lowered and compiled.
# source: jax/_src/interpreters/pxla.py: UnloadedMeshExecutable
# env: XLA_FLAGS=--xla_force_host_platform_device_count=2
import jax
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((2,), ("d",), axis_types=(AxisType.Auto,))

def placed(spec):
    return jax.device_put(np.arange(4, dtype=np.float32).reshape(2, 2), NamedSharding(mesh, spec))

g = jax.jit(lambda x: lax.sin(x))
x, weights = placed(P("d", None)), placed(P())
y = call("g(x)", lambda: g(x))
call("g(y)", lambda: g(y))
product = jax.jit(lambda x: x @ weights)
y = call("product(x)", lambda: product(x))
note("the argument", str(x.sharding.spec))
note("the product", str(y.sharding.spec))
call("product(y)", lambda: product(y))
turned = jax.jit(lambda x: x.T)
y = call("turned(x)", lambda: turned(x))
note("turned", str(y.sharding.spec))
call("turned(y)", lambda: turned(y))
