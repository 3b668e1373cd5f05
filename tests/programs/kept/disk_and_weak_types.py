# expected: what a program compiles to is on disk for arguments of the same types only
# happens: a conversion that only takes away the weak type is an operation of the module, so
#   a Python number and an array of its dtype have one module only where nothing is converted
# processes: 2
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"])
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)


@jax.jit
def scoped(x):
    with jax.named_scope("inner"):
        y = jnp.ones(3) * 2
    return x + y


@jax.jit
def doubled(x):
    return x * 2.0


@jax.jit
def summed(x):
    y = lax.fori_loop(0, 3, lambda i, c: c + x, x)
    return jnp.sum(jnp.ravel(y) * 1.0)


def branches(x):
    y = x * 3.0 + jnp.sum(jnp.expand_dims(x, 0))
    return jnp.sum(jnp.where(y > 1, y, 0))


line = jax.jit(lambda x: jax.linearize(branches, x)[1](x))
for f in (scoped, doubled, summed, line, jax.jit(jax.value_and_grad(branches))):
    for x in (np.float32(3), 3.0, jnp.asarray(2.0), jnp.float32(3)):
        call(f"{f.__name__} {type(x).__name__}", lambda: f(x))
for x in (jnp.asarray(2.0), jnp.float32(2), jnp.asarray(3), jnp.int32(3)):
    call("mean", lambda: jnp.mean(x) + 1)
    call("as float", lambda: jnp.asarray(x, float))
    call("converted", lambda: lax.convert_element_type(x, jnp.float32))
    call("add", lambda: jnp.ones((1, 1), x.dtype) + x)
with jax.disable_jit():
    call("in rows", lambda: jax.jacrev(jax.jit(branches))(jnp.float32(3)))
