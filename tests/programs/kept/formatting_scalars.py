# shows: How NumPy scalars print.
import numpy as np, jax.numpy as jnp
x = np.float32(0.1)
note("f", [f"{x}", str(x), repr(x), f"{x:.3f}", "%s" % x, "{}".format(x), f"{np.int8(3)}", f"{np.float16(0.1)}", f"{np.bool_(1)}", f"{np.float64(0.1)}", f"{np.complex64(1j)}", f"{x!s}", f"{jnp.float32(0.1)}", str(jnp.float32(0.1)), f"{np.ones(2)}", f"{jnp.ones(2)}", f"{np.array(0.1, 'f4')}", str(np.array(0.1, "f4")), f"{jnp.bfloat16(0.1)}", f"{np.float32(3)}"])
call("v", lambda: np.float32(0.1))
call("v2", lambda: [np.linalg.norm(np.ones(3, np.float32)), np.float16(0.1)])
