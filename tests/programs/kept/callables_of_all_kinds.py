# shows: jit of methods, partials, builtins, instances and jitted functions.
import jax, jax.numpy as jnp
from functools import partial, lru_cache, cached_property, reduce
@lru_cache(None)
def make(n): return jax.jit(lambda x: x ** n)
make(2)(1.); make(2)(1.); make(3)(1.)
class C:
    @cached_property
    def fn(self): return jax.jit(self._fn)
    def _fn(self, x): return x + 1
c = C(); c.fn(1.); c.fn(1.)
d = C(); d.fn(1.)
jax.jit(c._fn)(1.); jax.jit(c._fn)(1.)
@partial(jax.jit, static_argnums=(1,), donate_argnums=(0,))
def g(x, op): return op(x, x)
import operator
g(jnp.ones(3), operator.add); g(jnp.ones(3), operator.mul); g(jnp.ones(3), jnp.add); g(jnp.ones(3), lambda a, b: a)
p = partial(operator.add, 1)
h = jax.jit(p); h(2); print(h)
hh = jax.jit(partial(p, 2)); 
hh(); hh()
print(reduce(jnp.add, [1, 2, 3]))
jax.jit(jnp.sin)(1.); jax.jit(jnp.sin)(1.); jax.jit(jax.lax.sin)(1.); jax.jit(len)([1, 2]); jax.jit(max)([1.0], key=None) if 0 else None
jax.jit(sum)([1, 2]); jax.jit(lambda *a, **k: sum(a) + sum(k.values()))(1, 2, z=3, y=4)
jax.jit(abs)(-1.); jax.jit(round)(1.5); jax.jit(pow)(2., 3)
jax.jit(C()._fn)(1)
class D:
    def __call__(self, x): return x * 2
jax.jit(D())(1); 
k = D(); jax.jit(k)(1); jax.jit(k)(1); print(jax.jit(k).__name__ if hasattr(jax.jit(k), "__name__") else None)
jax.jit(jax.jit(lambda x: x))(1)
jax.jit(int)(1.0) if 0 else None
jax.jit(dict)(a=1); jax.jit(list)((1, 2)); jax.jit(tuple)([1])
