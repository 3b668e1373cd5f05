# happens: a transposed convolution is one convolution of a stretched array.
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

image = np.arange(32, dtype=np.float32).reshape(1, 4, 4, 2) / 10
kernel = np.ones((3, 3, 2, 1), np.float32)
line = np.arange(8, dtype=np.float32).reshape(1, 4, 2)

for name, fun in (
        ("same", lambda x: lax.conv_transpose(x, kernel, (2, 2), "SAME")),
        ("valid", lambda x: lax.conv_transpose(x, kernel, (2, 2), "VALID")),
        ("narrow", lambda x: lax.conv_transpose(x, kernel[:1, :1], (2, 2), "SAME")),
        ("padded", lambda x: lax.conv_transpose(x, kernel, (1, 2), ((1, 1), (2, 0)))),
        ("consistent", lambda x: lax.conv_transpose(x, kernel, (2, 2), ((1, 1), (0, 0)), use_consistent_padding=True)),
        ("dilated", lambda x: lax.conv_transpose(x, kernel, (2, 2), "SAME", rhs_dilation=(2, 2)))):
    fast = jax.jit(lambda x: fun(x))
    call(name, lambda: fun(image))
    call(f"{name}, jitted", lambda: fast(image))
    call(f"{name}, jitted again", lambda: fast(image))
    note(name, str(jax.make_jaxpr(fun)(image)))
    slope = jax.jit(jax.grad(lambda x: jnp.sum(fun(x) ** 2)))
    call(f"gradient of {name}", lambda: slope(image))
call("one dimension", lambda: lax.conv_transpose(line, np.ones((2, 2, 3), np.float32), (2,), "SAME"))
call("unknown padding", lambda: lax.conv_transpose(image, kernel, (2, 2), "OTHER"))
