# happens: a convolution is one operation; what pools is one, too, and its gradient another.
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

image = np.arange(2 * 6 * 6 * 3, dtype=np.float32).reshape(2, 6, 6, 3) / 100
kernel = np.ones((3, 3, 3, 4), np.float32) / 10
plain = np.arange(32, dtype=np.float32).reshape(1, 2, 16)
weights = np.ones((3, 2, 3), np.float32)
layout = ("NHWC", "HWIO", "NHWC")


def conv(x, k, strides=(1, 1), padding="SAME", **options):
    return lax.conv_general_dilated(x, k, strides, padding, dimension_numbers=layout, **options)


def avg_pool(x):
    return lax.reduce_window(x, 0., lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4


def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def same_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")


for name, fun, args in (
        ("conv", conv, (image, kernel)),
        ("strided", lambda x, k: conv(x, k, (2, 2), "VALID"), (image, kernel)),
        ("dilated", lambda x, k: conv(x, k, rhs_dilation=(2, 2)), (image, kernel)),
        ("transposed", lambda x, k: conv(x, k, (1, 1), ((2, 2), (2, 2)), lhs_dilation=(2, 2)),
         (image, kernel)),
        ("one dimension", lambda x, k: lax.conv(x, k, (2,), "SAME"), (plain, weights)),
        ("groups", lambda x, k: conv(x, k, feature_group_count=3), (image, kernel[:, :, :1, :3])),
        ("avg_pool", avg_pool, (image,)), ("max_pool", max_pool, (image,)),
        ("same_pool", same_pool, (image,)),
        ("min_pool", lambda x: lax.reduce_window(x, jnp.inf, lax.min, (1, 2, 2, 1)), (image,))):
    call(name, lambda: fun(*args))
    call(f"{name} again", lambda: fun(*args))
    fast = jax.jit(lambda *a: fun(*a))
    call(f"{name}, jitted", lambda: fast(*args))
    call(f"{name}, jitted again", lambda: fast(*args))
    note(name, str(jax.make_jaxpr(fun)(*args)))
    if name == "min_pool":
        continue
    slope = jax.jit(jax.grad(lambda *a: jnp.sum(fun(*a) ** 2), argnums=tuple(range(len(args)))))
    call(f"gradient of {name}", lambda: slope(*args))
    call(f"gradient of {name} again", lambda: slope(*args))
    note(f"gradient of {name}", str(jax.make_jaxpr(slope)(*args)))
call("eager gradient", lambda: jax.grad(lambda x: jnp.sum(max_pool(conv(x, kernel))))(image))


# A small network.
def network(params, x):
    for k in params["layers"]:
        x = max_pool(jax.nn.relu(conv(x, k)))
    return x.reshape(x.shape[0], -1) @ params["out"]


def loss(params, x, y):
    return jnp.mean((network(params, x) - y) ** 2)


@jax.jit
def step(params, x, y):
    grads = jax.grad(loss)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads)


params = {"layers": [kernel], "out": np.ones((36, 1), np.float32) / 10}
for i in range(3):
    params = call(f"step {i}", lambda: step(params, image, np.ones((2, 1), np.float32)))

# Mapped.
call("vmap of conv", lambda: jax.jit(jax.vmap(conv, in_axes=(0, None)))(image[None], kernel))
call("vmap over kernels", lambda: jax.jit(jax.vmap(conv, in_axes=(None, 0)))(image, kernel[None]))
call("vmap over both", lambda: jax.jit(jax.vmap(conv))(image[None], kernel[None]))
call("vmap of pooling", lambda: jax.jit(jax.vmap(max_pool, in_axes=1))(image[:, None]))
each = jax.jit(jax.vmap(jax.grad(lambda k, x: jnp.sum(max_pool(conv(x[None], k)))), in_axes=(None, 0)))
call("gradients for each image", lambda: each(kernel, image))

# Mistakes.
call("wrong features", lambda: conv(image, kernel[:, :, :2]))
call("wrong layout", lambda: lax.conv_general_dilated(image, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO")))
call("wrong padding", lambda: conv(image, kernel, padding="OTHER"))
call("wrong window", lambda: lax.reduce_window(image, 0., lax.add, (2, 2)))
call("wrong types", lambda: conv(image, kernel.astype(np.int32)))
