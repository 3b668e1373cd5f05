# expected: where nobody says how an argument is cut, it is where it was
# happens: XLA cuts it as an inner call or a constraint wants it, and JAX says so without the
#   words of a mesh, unless another argument has one
# source: jax/_src/interpreters/pxla.py: UnloadedMeshExecutable.from_hlo, maybe_recover_user_shardings
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax, jax.numpy as jnp, numpy as np
from jax import lax
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Auto,))
x = jnp.arange(8.)
f2 = jax.jit(lambda x: x * 2, in_shardings=NamedSharding(mesh, P('x')))
def show(label, f, *args):
    g = jax.jit(f)
    y = call(label, lambda: g(*args))
    note(label, str(y.sharding))
    compiled = g.lower(*args).compile()
    note("in", str(jax.tree.leaves(compiled.input_shardings)))
    y = call(label + " compiled", lambda: compiled(*args))
    note(label, str(y.sharding))
show("inner", f2, x)
show("inner +1", lambda x: f2(x + 1), x)
show("constraint", lambda x: lax.with_sharding_constraint(x, NamedSharding(mesh, P('x'))) * 2, x)
show("constraint +1", lambda x: lax.with_sharding_constraint(x + 1, NamedSharding(mesh, P('x'))) * 2, x)
show("replicated", lambda x: lax.with_sharding_constraint(x, NamedSharding(mesh, P())) * 2, x)
show("out", lambda x: jax.jit(lambda x: x * 2, out_shardings=NamedSharding(mesh, P('x')))(x), x)
show("two", lambda x, y: f2(x) + y, x, x)
show("numpy", f2, np.arange(8.))
