# title: An argument nobody reads
# kind: surprise
# about: trace disk
# decisive: first_only(x, six)
# expected: the shape of an unused argument does not matter.
# happens: it is in every in-memory key; the argument is dropped before the module is made, so only the disk sees that nothing changed.
# source: jax/_src/interpreters/pxla.py: _dce_jaxpr
import os
import jax
import jax.numpy as jnp
from jax import lax

jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"] + "/cache")
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)

def f(x, unused):
    return lax.sin(x)

first_only = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])
five, six = jnp.zeros(5), jnp.zeros(6)
call("first_only(x, five)", lambda: first_only(x, five))
call("first_only(x, six)", lambda: first_only(x, six))
