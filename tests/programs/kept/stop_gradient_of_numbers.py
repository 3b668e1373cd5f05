# happens: lax.stop_gradient gives what is no array yet its type, and nothing else
import jax, jax.numpy as jnp, numpy as np
from jax import lax
f = jax.jit(lambda x: x + 1)
for name, x in dict(i=2, f=1.5, b=True, c=1j, npf64=np.float64(1), npf32=np.float32(1), npi=np.int32(3), npi64=np.int64(3), arr=np.ones(3), arr32=np.ones(3, np.float32)).items():
    y = call(name, lambda: lax.stop_gradient(x))
    call(name + " type", lambda: type(y).__name__)
    note(name + " text", str(y) + " " + repr(y))
    call(name + " again", lambda: lax.stop_gradient(y))
    call(name + " plus", lambda: y + 1)
    call(name + " jit", lambda: f(y))
    call(name + " jnp", lambda: jnp.asarray(y))
