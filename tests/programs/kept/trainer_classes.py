# shows: Classes that jit their methods: inheritance, descriptors, metaclasses.
import jax, jax.numpy as jnp
# class-based trainer, properties, __call__, inheritance, super, jitted in __init__, context manager, generator
class Base:
    def __init__(self, lr): self.lr = lr; self._step = jax.jit(self.update, donate_argnums=0)
    def update(self, w, g): return w - self.lr * g
    def __enter__(self): return self
    def __exit__(self, *a): return False
    def fit(self, w, grads):
        for g in grads:
            w = self._step(w, g); yield w
class Momentum(Base):
    def __init__(self, lr, beta): super().__init__(lr); self.beta = beta; self.v = 0.0
    def update(self, w, g): return super().update(w, g) * self.beta
for cls, kw in ((Base, {}), (Momentum, {"beta": 0.9})):
    with cls(0.1, **kw) as opt:
        for w in opt.fit(jnp.ones(2), [jnp.ones(2), jnp.ones(2), 2.0]): last = w
        print(cls.__name__, last)
class Meta(type):
    def __call__(cls, *a): o = super().__call__(*a); o.f = jax.jit(o.f); return o
class M(metaclass=Meta):
    def __init__(self, k): self.k = k
    def f(self, x): return x * self.k
m = M(2); m.f(1); m.f(1); m.k = 3; m.f(1); M(2).f(1)
class Op:
    def __init__(self, f): self.f = f
    def __get__(self, obj, owner): return lambda *a: self.f(obj, *a)
class UsesOp:
    scale = 3
    @Op
    @jax.jit
    def go(s, x): return x
try: UsesOp().go(1)
except TypeError as e: print(str(e)[:60])
class Static:
    f = jax.jit(lambda x: x + 1)
    g = staticmethod(jax.jit(lambda x: x + 2))
try: Static().f(1)
except TypeError as e: print(str(e)[:60])
Static.f(1); Static().g(1); Static.g(1)
