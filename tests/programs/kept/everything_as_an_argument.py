# shows: All kinds of scalars and objects given to the identity.
import jax, jax.numpy as jnp, numpy as np
f = jax.jit(lambda x: x)
for v in [True, 1, 1.0, 1j, np.bool_(1), np.int8(1), np.int32(1), np.int64(1), np.uint64(1), np.float16(1), np.float32(1), np.float64(1), np.complex64(1), np.complex128(1), np.array(1), np.array([1]), np.array(1, 'f2'), jnp.bfloat16(1), jnp.array(1), jnp.asarray(1.0), jnp.array([1], 'int8')]:
    call(repr(v)[:40] + type(v).__name__, lambda: f(v))
for v in [2**31, 2**40, -2**31, float('nan'), float('inf'), "s", b"x", object, range(3), {1}, 1 << 70, slice(1, 2), Ellipsis, lambda: 1, iter([])]:
    call("bad " + str(type(v).__name__) + str(v)[:5], lambda: f(v))
class I(int): pass
class A(np.ndarray): pass
import enum
class E(enum.IntEnum):
    a = 1
call("I", lambda: f(I(1)))

call("E", lambda: f(E.a))
class J:
    def __jax_array__(self): return jnp.ones(2)
call("J", lambda: f(J()))
class N:
    def __array__(self, dtype=None, copy=None): return np.ones(2)
call("N", lambda: f(N()))
call("N2", lambda: jnp.sin(N()))
call("J2", lambda: jnp.sin(J()))
