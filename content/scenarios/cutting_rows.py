# title: Cutting rows
# kind: surprise
# about: prim
# decisive: placed[:2]
# expected: a slice is a slice, wherever the array lies.
# happens: the position is an argument, so another position of the same length is known; of an array on several devices the rows are gathered, which takes four operations.
# source: jax/_src/numpy/indexing.py: rewriting_take
# env: XLA_FLAGS=--xla_force_host_platform_device_count=2
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((2,), ("d",), axis_types=(AxisType.Auto,))
rows = np.arange(8, dtype=np.float32).reshape(4, 2)
x, placed = jax.device_put(rows), jax.device_put(rows, NamedSharding(mesh, P("d")))

call("x[:2]", lambda: x[:2])
call("x[1:3]", lambda: x[1:3])
call("x[0]", lambda: x[0])
call("x[1]", lambda: x[1])
call("placed[:2]", lambda: placed[:2])
call("placed[1:3]", lambda: placed[1:3])
call("placed[0]", lambda: placed[0])
call("placed[1]", lambda: placed[1])
call("x[:3]", lambda: x[:3])
