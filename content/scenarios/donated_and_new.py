# title: Donated, and given again
# kind: surprise
# about: fast_path compile
# decisive: jax.jit(lax.cos)(a)
# expected: an array that is gone is refused before anything is done.
# happens: a function that is new is traced, lowered and compiled first, and then the call raises; an array that is donated and given a second time in the same call is refused by the runtime.
# source: jax/_src/interpreters/pxla.py: shard_args
import jax
import jax.numpy as jnp
from jax import lax

donating = jax.jit(lambda x: lax.sin(x), donate_argnums=0)
adding = jax.jit(lambda x, y: lax.add(x, y), donate_argnums=0)
a, b = jnp.zeros(3), jnp.ones(3)
donating(a)
call("jax.jit(lax.cos)(a)", lambda: jax.jit(lax.cos)(a))
call("adding(b, b)", lambda: adding(b, b))
