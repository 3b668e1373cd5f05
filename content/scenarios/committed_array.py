# title: Committed to the device it is already on
# kind: surprise
# about: lower hlo compile
# decisive: g(committed)
# expected: saying where an array already lives changes nothing.
# happens: a committed array has another key in C++, in lowering and in the module: the params entry is found, but lowering and XLA run again, and nothing is traced.
# source: jax/_src/pjit.py: _resolve_in_shardings; jaxlib/jax_jit.h: CallSignature
import jax
import numpy as np
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
xn = np.arange(3, dtype=np.float32)
anywhere = jax.device_put(xn)
committed = jax.device_put(xn, jax.devices()[0])
call("g(anywhere)", lambda: g(anywhere))
call("g(committed)", lambda: g(committed))
call("g(committed) again", lambda: g(committed))
