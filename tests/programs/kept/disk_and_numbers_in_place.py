# expected: a number that is closed over compiles to the same module as one written in place
# happens: both are constants of the module; which is found on disk depends on where they stand,
#   and on what the results are called: batched and differentiated functions name them otherwise
import os

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"])
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
two = jnp.float32(2)


def fresh(body):
    def run(x):
        return body(x)
    return jax.jit(run)


for label, body in {
        "in place": lambda x: 2.0, "closed over": lambda x: two, "NumPy": lambda x: np.float32(2),
        "times in place": lambda x: x * 2.0, "times closed over": lambda x: x * two,
        "later in place": lambda x: (x + x) * 2.0, "later closed over": lambda x: (x + x) * two,
        "two": lambda x: x * 2.0 + 2.0, "two of one": lambda x: x * two + two,
        "both": lambda x: (2.0, two), "both turned": lambda x: (two, 2.0)}.items():
    call(label, lambda: fresh(body)(np.float32(1)))

ones = jnp.ones((1, 1), int)
call("add", lambda: jnp.add(ones, 0))
for label, made in {
        "vmap": lambda: jax.vmap(lambda x: x * 2 + jnp.add(ones, 0))(jnp.ones(2)),
        "jvp": lambda: jax.jvp(lambda x: x * 2 + jnp.add(ones, 0), (1.0,), (1.0,)),
        "grad": lambda: jax.grad(lambda x: jnp.sum(x * 2 + jnp.add(ones, 0)))(1.0),
        "hessian": lambda: jax.hessian(lambda x: x * x * 2)(jnp.ones(())),
        "hessian of two": lambda: jax.hessian(lambda x: jnp.sum(x * x * 2))(jnp.ones(2)),
        "eye": lambda: jax.vmap(lambda x: x * 2 + jnp.eye(1))(jnp.ones(2))}.items():
    jax.clear_caches()
    call(label, made)
