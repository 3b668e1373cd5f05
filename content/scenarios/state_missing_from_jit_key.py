# title: A setting C++ does not know
# kind: surprise
# about: fast_path params
# decisive: g(x) with the setting
# expected: a setting that tracing depends on is noticed by every cache.
# happens: this one is part of every Python key but not of the C++ key: a signature seen before is answered as if nothing had changed, a new one is traced again.
# source: jax/_src/config.py: hlo_source_file_canonicalization_regex
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])
xn = np.asarray([0.0, 1.0, 2.0], np.float32)
call("g(x)", lambda: g(x))
jax.config.update("jax_hlo_source_file_canonicalization_regex", "^.*/")
call("g(x) with the setting", lambda: g(x))
call("g(xn) with the setting", lambda: g(xn))
