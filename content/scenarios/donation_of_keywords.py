# title: Donated by number, given by name
# kind: surprise
# about: 
# decisive: donating(x=b)
# expected: donate_argnums does not donate what is given by keyword.
# happens: numbers are turned into names with the help of the signature: the keyword argument is donated too.
# source: jax/_src/api_util.py: resolve_argnums
import jax
import jax.numpy as jnp
from jax import lax

def f(x):
    return lax.sin(x)

donating = jax.jit(f, donate_argnums=0)
a, b = jnp.zeros(3), jnp.zeros(3)
call("donating(a)", lambda: donating(a))
note("a was donated", a.is_deleted())
call("donating(x=b)", lambda: donating(x=b))
note("b was donated", b.is_deleted())
