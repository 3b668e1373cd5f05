# title: After a donation
# kind: surprise
# about: fast_path
# decisive: donating(a), once more
# expected: a donated array can still be read.
# happens: its memory holds the result now: reading it raises, and so does passing it again, although the key fits and C++ answers. An array that was deleted by hand is sent to Python, and raises there.
# source: jax/_src/array.py: ArrayImpl
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

donating = jax.jit(lambda x: lax.sin(x), donate_argnums=0)
a = jnp.zeros(3)
call("donating(a)", lambda: donating(a))
note("a was donated", a.is_deleted())
call("np.asarray(a)", lambda: np.asarray(a))
call("donating(a), once more", lambda: donating(a))
b = jnp.zeros(3)
b.delete()
call("donating(b), deleted by hand", lambda: donating(b))
