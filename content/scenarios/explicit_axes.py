# title: Explicit axes
# kind: surprise
# about: params trace
# decisive: g(whole)
# expected: how an array is cut is no part of its type.
# happens: on a mesh with explicit axes it is: another way of cutting is another type, and is traced; with_sharding_constraint raises there.
# source: jax/_src/core.py: ShapedArray
# env: XLA_FLAGS=--xla_force_host_platform_device_count=2
import jax
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

explicit = jax.make_mesh((2,), ("d",))
auto = jax.make_mesh((2,), ("d",), axis_types=(AxisType.Auto,))
rows = np.arange(4, dtype=np.float32).reshape(2, 2)

def placed(mesh, spec):
    return jax.device_put(rows, NamedSharding(mesh, spec))

g = jax.jit(lambda x: lax.sin(x))
note("the axes", str(explicit.axis_types))
cut, whole, spelled = (placed(explicit, spec) for spec in (P("d"), P(), P("d", None)))
call("g(cut)", lambda: g(cut))
call("g(whole)", lambda: g(whole))
call("g(spelled)", lambda: g(spelled))
out = g(cut)
call("g(its result)", lambda: g(out))
constrained = jax.jit(lambda x: lax.with_sharding_constraint(x, NamedSharding(explicit, P("d"))))
call("constrained(cut)", lambda: constrained(cut))
auto_cut, auto_whole = placed(auto, P("d")), placed(auto, P())
call("g(cut), automatic axes", lambda: g(auto_cut))
call("g(whole), automatic axes", lambda: g(auto_whole))
