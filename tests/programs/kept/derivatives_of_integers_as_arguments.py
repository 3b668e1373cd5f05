# expected: a gradient of integers is an array, and arrays are answered by C++
# happens: its dtype has no numbers, and C++ hands every call with it to Python
# source: jax/_src/dtypes.py: float0; jaxlib/jax_jit.cc: ParseArguments
import jax, jax.numpy as jnp, numpy as np
def _f1(x): return jnp.sum(x * 3.0)
f1 = jax.jit(lambda x: jax.vjp(_f1, x)[1](1.0))
s = call("a", lambda: f1(np.arange(3)))
g = jax.jit(lambda x: 1.0)
call("b", lambda: g(s))
call("b2", lambda: g(s))
call("c", lambda: g(s[0]))
call("c2", lambda: g(s[0]))
call("d", lambda: g(np.zeros(3, jax.dtypes.float0)))
call("e", lambda: jax.jit(lambda x: x)(np.zeros((), jax.dtypes.float0)))
