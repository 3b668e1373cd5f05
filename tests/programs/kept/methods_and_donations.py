# shows: fresh functions, methods, deleted and donated arrays, as classes of users have them.
import jax, jax.numpy as jnp, numpy as np, gc
x = jnp.arange(3.)
def make(n): return jax.jit(lambda v: v * n)
fs = [make(i) for i in range(3)]
for i, f in enumerate(fs): call(f"f{i}", lambda: f(x))
call("f0 again", lambda: fs[0](x))
del fs[1]
call("f2", lambda: fs[1](x)); call("made anew", lambda: make(2)(x))
for i in range(3): call("inline", lambda: jax.jit(lambda v: v + 1)(x))
class Model:
    scale = 2.0
    @jax.jit
    def __call__(self, v): return v
    def apply(self, v): return v * self.scale
    def __hash__(self): return hash(self.scale)
    def __eq__(self, o): return self.scale == o.scale
    @staticmethod
    @jax.jit
    def st(v): return v - 1
    @classmethod
    def cm(cls, v): return jax.jit(cls.go)(v)
    def go(v): return v + 3
    fwd = jax.jit(apply, static_argnums=0)
m, n = Model(), Model()
call("m", lambda: m.fwd(x)); call("n", lambda: n.fwd(x)); n.scale = 3.0
call("n changed", lambda: n.fwd(x)); call("static", lambda: m.st(x)); call("cm", lambda: m.cm(x)); call("cm again", lambda: Model.cm(x)); call("call", lambda: m(x))
y = jnp.ones(4); y.delete()
call("deleted", lambda: fs[0](y)); call("is deleted", lambda: y.is_deleted())
d = jax.jit(lambda a, b: a + b, donate_argnums=(0, 1))
a = jnp.ones(3)
call("donate both", lambda: d(a, jnp.ones(3))); call("donated", lambda: d(a, jnp.ones(3))); call("twice", lambda: (lambda q: d(q, q))(jnp.ones(3)))
call("ready", lambda: jax.block_until_ready(fs[0](x))); call("wrapped", lambda: str(fs[0].__wrapped__(x)))
call("size", lambda: fs[0]._cache_size()); call("name", lambda: fs[0].__name__)
g = jax.jit(jax.vmap(jax.grad(lambda v: v ** 3))); call("g", lambda: g(x)); call("g2", lambda: jax.jit(jax.vmap(jax.grad(lambda v: v ** 3)))(x))
