# shows: What dies with a function, and what a function keeps alive.
import jax, jax.numpy as jnp, gc, weakref
# caching decorators and registries; object lifetimes
class Registry(dict):
    def register(self, name):
        def deco(fn):
            self[name] = jax.jit(fn); return self[name]
        return deco
R = Registry()
@R.register("sq")
def sq(x): return x ** 2
@R.register("cube")
def cube(x): return x ** 3
for n in ("sq", "cube", "sq"): R[n](2.0)
w = weakref.ref(sq.__wrapped__)
del R["sq"], sq; gc.collect(); print(w() is None)
cube(2.0)
class T:
    def __init__(self): self.f = jax.jit(lambda x: x + self.k); self.k = 1
    def __del__(self): print("del")
t = T(); t.f(1); t.k = 5; t.f(1); t.f(1.0)
del t; gc.collect()
cube(2.0)
def tmp():
    @jax.jit
    def f(x): return x * 10
    return f(1)
tmp(); tmp(); gc.collect(); tmp()
arr = jnp.arange(4.); wr = weakref.ref(arr)
c = jax.jit(lambda x: x + arr); c(1.); del arr; print(wr() is None); 
c.clear_cache(); gc.collect(); print(wr() is None)
jax.clear_caches(); cube(2.0); cube(2.0)
print(cube._cache_size())
cube.clear_cache(); print(cube._cache_size())
