# title: Nothing may run
# kind: surprise
# about: fast_path params
# decisive: g(x) again
# expected: with executions forbidden nothing is compiled.
# happens: the call is traced, lowered and compiled, and raises when it should run; the setting is in the keys, and no entry made under it is ever answered by C++.
# source: jax/_src/pjit.py: _get_fastpath_data; jax/_src/config.py: no_execution
import jax
import jax.numpy as jnp
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])
with jax.no_execution(True):
    call("g(x)", lambda: g(x))
    call("g(x) again", lambda: g(x))
call("g(x), allowed to run", lambda: g(x))
