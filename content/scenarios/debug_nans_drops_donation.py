# title: Donation lost for good
# kind: surprise
# about: fast_path params
# decisive: donating(b)
# expected: with debug_nans off again, donation works again.
# happens: debug_nans switches donation off while tracing, and is in no key: the program without donation stays, until the cache of the function is cleared.
# source: jax/_src/pjit.py: _trace_for_jit
import jax
import jax.numpy as jnp
from jax import lax

donating = jax.jit(lambda x: lax.sin(x), donate_argnums=0)
a, b, c = jnp.zeros(3), jnp.zeros(3), jnp.zeros(3)
jax.config.update("jax_debug_nans", True)
call("donating(a), debug_nans on", lambda: donating(a))
note("a was donated", a.is_deleted())
jax.config.update("jax_debug_nans", False)
call("donating(b)", lambda: donating(b))
note("b was donated", b.is_deleted())
donating.clear_cache()
call("donating(c) after clear_cache()", lambda: donating(c))
note("c was donated", c.is_deleted())
