# shows: Static arguments whose __eq__, __hash__ or __repr__ misbehaves.
import jax, jax.numpy as jnp
class BadEq:
    def __eq__(self, o): raise RuntimeError("eq")
    def __hash__(self): return 1
class BadHash:
    def __hash__(self): raise RuntimeError("hash")
class BadRepr:
    def __repr__(self): raise RuntimeError("repr")
class NeEq:
    def __eq__(self, o): return False
    def __hash__(self): return 1
class AllEq:
    def __eq__(self, o): return True
    def __hash__(self): return 1
class NonBool:
    def __eq__(self, o): return jnp.ones(2)
    def __hash__(self): return 1
f = jax.jit(lambda x, s: x, static_argnums=1)
for K in (BadEq, BadHash, BadRepr, NeEq, AllEq, NonBool):
    a, b = K(), K()
    call(K.__name__ + "a", lambda: f(1, a))
    call(K.__name__ + "b", lambda: f(1, b))
    call(K.__name__ + "a again", lambda: f(1, a))
call("bad repr dyn", lambda: f(BadRepr(), 1))
call("hash unhashable", lambda: f(1, [1]))
call("hash np", lambda: f(1, __import__("numpy").ones(2)))
call("hash jnp", lambda: f(1, jnp.ones(2)))
call("dict", lambda: f(1, {}))
call("None", lambda: f(1, None))
call("lambda", lambda: f(1, lambda: 1))
call("nan", lambda: f(1, float("nan")))
call("type", lambda: f(1, int))
call("tuple", lambda: f(1, (1, [2])))
