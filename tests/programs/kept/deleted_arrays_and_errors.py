# shows: Deleted arrays, and the errors of array methods.
import jax, jax.numpy as jnp
x = jnp.ones(3)
f = jax.jit(lambda x: x + 1)
f(x)
x.delete()
try: f(x)
except RuntimeError as e: print(e)
try: x + 1
except RuntimeError as e: print(e)
try: print(x)
except RuntimeError as e: print(e)
print(x.shape, x.dtype, x.is_deleted())
y = jnp.ones(3); f(y)
del y
async def main():
    r = f(2.0)
    pass
    pass
    return r


def gen():
    for i in range(3): yield f(i)
print([int(v) for v in gen()])
print(list(int(v) for v in map(lambda i: f(i), range(2))))
try: x.at[0].set(1)
except RuntimeError as e: print(e)
z = jnp.ones(3)
try: z[0] = 1
except TypeError as e: print(str(e)[:60])
try: hash(z)
except TypeError as e: print(e)
try: bool(z)
except ValueError as e: print(e)
try: z.foo
except AttributeError as e: print(e)
try: jnp.nope
except AttributeError as e: print(e)
try: jnp.zeros((2,)) @ jnp.zeros((3,))
except TypeError as e: print(e)
try: jnp.zeros((2,)) + jnp.zeros((3,))
except Exception as e: print(type(e).__name__, e)
try: jnp.concatenate([])
except Exception as e: print(type(e).__name__, e)
try: jnp.zeros((2, 3)).reshape(7)
except Exception as e: print(type(e).__name__, e)
try: jnp.array([[1], [1, 2]])
except Exception as e: print(type(e).__name__, e)
