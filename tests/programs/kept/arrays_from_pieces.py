# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
# happens: an array made of pieces costs no compilation, and is where its sharding says.
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P, SingleDeviceSharding

mesh = jax.make_mesh((2, 2), ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
data = np.arange(32, dtype=np.float32).reshape(8, 4)
f = jax.jit(lambda a: a * 2)

for spec in (P("x", "y"), P("x"), P(None, "y"), P(("x", "y")), P()):
    place = NamedSharding(mesh, spec)
    asked = []

    def piece(index):
        asked.append(str(index))
        return data[index]

    made = call(f"made {spec}", lambda: jax.make_array_from_callback(data.shape, place, piece))
    note(f"asked for {spec}", asked)
    note("sharding", [str(made.sharding.spec), made.committed, str(made.addressable_shards[1].index)])
    call(f"used {spec}", lambda: f(made))
    put = jax.device_put(data, place)
    call(f"put {spec}", lambda: f(put))
one = SingleDeviceSharding(jax.devices()[1])
call("one device", lambda: f(jax.make_array_from_callback((2,), one, lambda i: np.ones(2, np.float32))))
pieces = [jax.device_put(data[i * 2:i * 2 + 2], d) for i, d in enumerate(jax.devices())]
rows = NamedSharding(jax.make_mesh((4,), ("i",), axis_types=(jax.sharding.AxisType.Auto,)), P("i"))
call("from arrays", lambda: f(jax.make_array_from_single_device_arrays((8, 4), rows, pieces)))
call("from a callback", lambda: f(jax.make_array_from_callback((8, 4), rows, lambda i: data[i])))
call("wrong shape", lambda: jax.make_array_from_callback((8, 4), rows, lambda i: data))
call("other dtype", lambda: jax.make_array_from_callback((8, 4), rows, lambda i: data[i], dtype=int))
call("no sharding", lambda: jax.make_array_from_callback((8, 4), P("i"), lambda i: data[i]))
call("a scalar", lambda: f(jax.make_array_from_callback((), one, lambda i: np.float32(3))))
