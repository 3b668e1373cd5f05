# shows: Errors people make under jit, caught and gone on from.
import jax, jax.numpy as jnp
@jax.jit
def f(x):
    if x > 0: return x
    return -x
try: f(1.0)
except jax.errors.TracerBoolConversionError as e: print(str(e).splitlines()[0])
try: f(1.0)
except Exception as e: print(type(e).__name__)
@jax.jit
def g(x, n):
    return jnp.zeros(n) + x
try: g(1., 3)
except TypeError as e: print(str(e).splitlines()[0])
g = jax.jit(g.__wrapped__, static_argnums=1)
g(1., 3)
try: g(1., jnp.int32(3))
except ValueError as e: print(str(e).splitlines()[0])
try: g(1.)
except TypeError as e: print(e)
try: jax.jit(lambda x: x, static_argnums=3)(1)
except ValueError as e: print(e)
try: jax.jit(lambda x: [1, "a"])(1)
except TypeError as e: print(str(e).splitlines()[0])
leak = []
@jax.jit
def l(x): leak.append(x); return x
l(1.0)
try: leak[0] + 1
except jax.errors.UnexpectedTracerError as e: print(str(e).splitlines()[0][:60])
@jax.jit
def fl(x): return float(x)
try: fl(1.)
except jax.errors.ConcretizationTypeError as e: print(str(e).splitlines()[0])
@jax.jit
def it(x): return [a + 1 for a in x]
it(jnp.ones(3)); it(jnp.ones(2))
try: it(1.)
except TypeError as e: print(e)
@jax.jit
def ix(x, i): return x[i]
ix(jnp.ones(3), 1); ix(jnp.ones(3), jnp.int8(1)); 
@jax.jit
def npx(x):
    import numpy as np
    return np.sin(x)
try: npx(1.)
except jax.errors.TracerArrayConversionError as e: print(str(e).splitlines()[0])
