# title: Wide types on and off
# kind: surprise
# about: fast_path params trace
# decisive: g(x) again, wide types
# expected: every switch of the wide types compiles again.
# happens: the setting is in the keys, so each of its values has entries of its own: one miss for each, and then hits.
# source: jax/_src/config.py: enable_x64
import jax
import numpy as np
from jax import lax

g = jax.jit(lambda x: lax.sin(x))
x = np.arange(3.0)
call("g(x)", lambda: g(x))
with jax.enable_x64(True):
    call("g(x), wide types", lambda: g(x))
call("g(x) again", lambda: g(x))
with jax.enable_x64(True):
    call("g(x) again, wide types", lambda: g(x))
