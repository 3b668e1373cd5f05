# title: The second training step
# kind: surprise
# about: fast_path params trace
# decisive: step(state), second
# expected: the second step of training is the call of the first one.
# happens: the first state lies on one device and is not committed, the step returns one that is spread over the mesh, which is another type: the second step is traced and compiled, the third is answered by C++.
# source: jax/_src/pjit.py: _infer_params
# env: XLA_FLAGS=--xla_force_host_platform_device_count=2
import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((2,), ("d",), axis_types=(AxisType.Auto,))
spread = NamedSharding(mesh, P())
step = jax.jit(lambda state: state * 0.5, out_shardings=spread)
state = jnp.ones(4)
for count in ("first", "second", "third"):
    state = call(f"step(state), {count}", lambda: step(state))
state = jax.device_put(jnp.ones(4), spread)
call("step(state), placed before", lambda: step(state))
