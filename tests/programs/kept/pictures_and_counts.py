"""Pictures resized and filtered, elements drawn with probabilities, counts drawn in loops."""
import re
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

def jaxpr(f, *args):
    try:
        return str(jax.make_jaxpr(f)(*args))
    except Exception as error:
        first = (str(error).splitlines() or [""])[0]
        return f"{type(error).__name__}: {re.sub(' at [^ ]+:[0-9]+', '', first)}"


def look(text, f, *args):
    call(text, lambda: f(*args))
    call(f"{text} again", lambda: f(*args))
    note(f"jaxpr of {text}", jaxpr(f, *args))
    call(f"jit of {text}", lambda: jax.jit(f)(*args))

import jax.scipy as jsp
from jax import random
from jax.scipy.signal import convolve2d

img = jnp.asarray(np.arange(48, dtype="f4").reshape(4, 4, 3) % 11)
kernel = jnp.asarray(np.array([[1, 2, 1], [2, 4, 2], [1, 2, 1]], "f4")) / 16
look("nearest", lambda x: jax.image.resize(x, (8, 6, 3), "nearest"), img)
look("smaller", lambda x: jax.image.resize(x, (2, 2, 3), method="bilinear"), img)
look("larger", lambda x: jax.image.resize(x, (6, 4, 3), "linear"), img)
look("without antialias", lambda x: jax.image.resize(x, (3, 3, 3), "linear", antialias=False), img)
look("the same size", lambda x: jax.image.resize(x, (4, 4, 3), "linear"), img)
look("of integers", lambda x: jax.image.resize(x, (2, 2, 3), "linear"), img.astype("int32"))
call("another rank", lambda: jax.image.resize(img, (2, 2), "linear"))
look("convolve2d", lambda x, k: convolve2d(x, k, mode="same"), img[..., 0], kernel)
look("convolve2d, full", lambda x, k: convolve2d(x, k), img[..., 0], kernel)
look("blurred channels", lambda x, k: jax.vmap(lambda c: convolve2d(c, k, mode="valid"), -1, -1)(x), img, kernel)
look("convolve", lambda x, k: jsp.signal.convolve(x, k), img[0, :, 0], kernel[0])
look("the smaller one first", lambda x, k: jsp.signal.convolve(k, x, mode="same"), img[0, :, 0], kernel[0])
call("neither is smaller", lambda: convolve2d(jnp.ones((2, 3)), jnp.ones((3, 2))))
call("no such mode", lambda: convolve2d(img[..., 0], kernel, mode="all"))
call("wrapped", lambda: convolve2d(img[..., 0], kernel, boundary="wrap"))

key, p = random.key(7), jnp.asarray(np.array([0.1, 0.2, 0.3, 0.4], "f4"))
look("choice with p", lambda k, p: random.choice(k, 4, (3,), p=p), key, p)
look("without replacement", lambda k, p: random.choice(k, 4, (2,), replace=False, p=p), key, p)
look("of rows", lambda k, p: random.choice(k, img, (2,), p=p, axis=0), key, p)
call("p of another size", lambda: random.choice(key, 5, (3,), p=p))
look("poisson", lambda k: random.poisson(k, 3.0, (4,)), key)
look("poisson of rates", lambda k, r: random.poisson(k, r), key, jnp.asarray(np.array([0, 0.5, 4, 20], "f4")))
look("poisson of another type", lambda k: random.poisson(k, 12.0, (2,), dtype=jnp.int16), key)
call("another generator", lambda: random.poisson(random.key(0, impl="rbg"), 3.0))
call("no such method", lambda: random.poisson(key, 3.0, method="best"))
