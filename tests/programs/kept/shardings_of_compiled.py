# expected: where nobody says how an argument is cut, it is where it was
# happens: XLA cuts it as an inner call or a constraint wants it, and JAX says so without the
#   words of a mesh, unless another argument has one
# source: jax/_src/interpreters/pxla.py: UnloadedMeshExecutable.from_hlo, maybe_recover_user_shardings
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax, jax.numpy as jnp, numpy as np
from jax import lax
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Auto,))
emesh = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Explicit,))
x = jnp.arange(8.)
def show(label, f, *args, **options):
    c = jax.jit(f, **options).lower(*args).compile()
    note(label + " in", str(c.input_shardings))
    note(label + " out", str(c.output_shardings))
put = lambda spec, m=mesh: jax.device_put(x, NamedSharding(m, spec))
show("plain", lambda x: x * 2, x)
show("committed", lambda x: x * 2, jax.device_put(x, jax.devices()[1]))
show("placed", lambda x: x * 2, put(P("x")))
show("two", lambda x, y: x * y, put(P("x")), x)
show("two other", lambda x, y: (x, y * 2), put(P("x")), x)
show("replicated and free", lambda x, y: (x * 2, y * 2), put(P()), x)
show("asked", lambda x: x * 2, x, in_shardings=NamedSharding(mesh, P("x")))
show("out", lambda x: x * 2, x, out_shardings=NamedSharding(mesh, P("x")))
show("out replicated", lambda x: x * 2, x, out_shardings=NamedSharding(mesh, P()))
show("explicit", lambda x: x * 2, put(P("x"), emesh))
show("explicit two", lambda x, y: (x * 2, y * 2), put(P("x"), emesh), x)
show("struct", lambda x: x * 2, jax.ShapeDtypeStruct((8,), np.float32))
show("struct placed", lambda x: x * 2, jax.ShapeDtypeStruct((8,), np.float32, sharding=NamedSharding(mesh, P("x"))))
with jax.set_mesh(mesh):
    show("in mesh", lambda x: x * 2, x)
    show("in mesh constant", lambda: jnp.ones(4))
show("kept", lambda x, y: x * 2, x, x)
