# shows: jax.jit of callables, methods and builtins of all kinds; shapes without numbers where numbers are needed.
import jax, jax.numpy as jnp, numpy as np, functools, operator
x = jnp.ones(3)
def tr(label, th):
    try: return call(label, th)
    except Exception as e: print(label, type(e).__name__, str(e)[:300])
class K:
    def __call__(self, x): return x + 1
class KEq:
    def __init__(self, n): self.n = n
    def __call__(self, x): return x + self.n
    def __eq__(self, o): return isinstance(o, KEq) and o.n == self.n
    def __hash__(self): return hash(self.n)
class KNo:
    def __call__(self, x): return x + 1
    __hash__ = None
class KSlots:
    __slots__ = ("a",)
    def __call__(self, x): return x + 1
class KStat:
    @staticmethod
    def s(x): return x + 1
    @classmethod
    def c(cls, x): return x + 2
    @property
    def p(self): return lambda x: x + 3
    @jax.jit
    def m(self, x): return x
    @functools.partial(jax.jit, static_argnums=0)
    def ms(self, x): return x * 2
    @staticmethod
    @jax.jit
    def sj(x): return x * 3
    @classmethod
    @functools.partial(jax.jit, static_argnums=0)
    def cj(cls, x): return x * 4
k = K()
for i in range(2): tr("K", lambda: jax.jit(k)(x))
for i in range(2): tr("KEq", lambda: jax.jit(KEq(1))(x))
tr("KEq 2", lambda: jax.jit(KEq(2))(x))
tr("KNo", lambda: jax.jit(KNo())(x)); tr("KSlots", lambda: jax.jit(KSlots())(x))
s = KStat()
for i in range(2): tr("s", lambda: jax.jit(s.s)(x)); tr("c", lambda: jax.jit(s.c)(x)); tr("p", lambda: jax.jit(s.p)(x)); tr("m", lambda: s.m(x)); tr("ms", lambda: s.ms(x)); tr("sj", lambda: s.sj(x)); tr("cj", lambda: s.cj(x)); tr("cj class", lambda: KStat.cj(x))
tr("K()", lambda: jax.jit(K)(x)); tr("complex", lambda: jax.jit(complex)(1.0)); tr("dict", lambda: jax.jit(dict)(a=x)); tr("zip", lambda: jax.jit(zip)([x])); tr("len", lambda: jax.jit(len)([x])); tr("max", lambda: jax.jit(max)(1, 2)); tr("isinstance", lambda: jax.jit(isinstance, static_argnums=1)(x, int)); tr("print", lambda: jax.jit(print)(x)); tr("operator.add", lambda: jax.jit(operator.add)(x, x)); tr("itemgetter", lambda: jax.jit(operator.itemgetter(0))([x])); tr("attrgetter", lambda: jax.jit(operator.attrgetter("T"))(x)); tr("methodcaller", lambda: jax.jit(operator.methodcaller("sum"))(x)); tr("matmul", lambda: jax.jit(operator.matmul)(x, x)); tr("getattr", lambda: jax.jit(getattr, static_argnums=1)(x, "T")); tr("str", lambda: jax.jit(str.upper)("a")); tr("ufunc", lambda: jax.jit(np.add)(x, x)); tr("jnp ufunc", lambda: jax.jit(jnp.add)(x, x)); tr("not callable", lambda: jax.jit(3)(x)); tr("none", lambda: jax.jit(None)); tr("gen", lambda: jax.jit(lambda: (yield 1))()); tr("str jit", lambda: jax.jit("f"))
def gen(x):
    yield x
tr("generator", lambda: jax.jit(gen)(x))
p = functools.partial(functools.partial(lambda a, b, c: a + b * c, 1), 2)
for i in range(2): tr("pp", lambda: jax.jit(p)(x))
tr("pp new", lambda: jax.jit(functools.partial(functools.partial(operator.add, 1)))(x))
tr("partial kw", lambda: jax.jit(functools.partial(jnp.sum, axis=0))(x)); tr("partial kw again", lambda: jax.jit(functools.partial(jnp.sum, axis=0))(x)); tr("partial over", lambda: jax.jit(functools.partial(lambda x, n: x * n, n=2))(x, n=3)); tr("partial array", lambda: jax.jit(functools.partial(jnp.add, x))(x)); tr("reduce", lambda: jax.jit(functools.partial(functools.reduce, operator.add))([x, x, x])); tr("partialmethod", lambda: jax.jit(functools.partialmethod(lambda s, x: x, 1))(x)); tr("singledispatch", lambda: jax.jit(functools.singledispatch(lambda x: x + 1))(x)); tr("lru", lambda: jax.jit(functools.lru_cache(lambda x: x + 1))(x)); tr("cache twice", lambda: jax.jit(functools.cache(lambda x: x + 1))(x)); tr("compose", lambda: jax.jit(jax.grad(jax.jit(lambda x: (x * x).sum())))(x)); tr("vmapgrad", lambda: jax.jit(jax.vmap(jax.grad(lambda v: v * v)))(x)); tr("value_and_grad aux", lambda: jax.jit(jax.value_and_grad(lambda v: ((v * v).sum(), {"a": v}), has_aux=True))(x)); tr("jit of checkpoint", lambda: jax.jit(jax.checkpoint(lambda v: v * 2))(x))
p = functools.partial(functools.partial(lambda a, b, c: a + b * c, 1), 2)
call("pp", lambda: jax.jit(p)(x))
call("pp2", lambda: jax.jit(p)(x))
call("sds", lambda: jax.jit(lambda: jax.eval_shape(lambda v: v * 2, x))())
call("sds const", lambda: jax.jit(lambda: jax.ShapeDtypeStruct((2,), jnp.float32))())
call("sds add", lambda: jax.jit(lambda x: x + jax.ShapeDtypeStruct((3,), jnp.float32))(x))
call("sds jnp add", lambda: jax.jit(lambda x: jnp.add(x, jax.ShapeDtypeStruct((3,), jnp.float32)))(x))
call("sds arg", lambda: jax.jit(lambda x: x)(jax.ShapeDtypeStruct((3,), jnp.float32)))
call("sds eager", lambda: jnp.add(x, jax.ShapeDtypeStruct((3,), jnp.float32)))
call("sds lax eager", lambda: jax.lax.add(x, jax.ShapeDtypeStruct((3,), jnp.float32)))
call("sds grad", lambda: jax.grad(lambda v: v.sum())(jax.ShapeDtypeStruct((3,), jnp.float32)))
call("sds vmap", lambda: jax.vmap(lambda v: v * 2)(jax.ShapeDtypeStruct((3,), jnp.float32)))
call("sds device_put", lambda: jax.device_put(jax.ShapeDtypeStruct((3,), jnp.float32)))
call("sds asarray", lambda: jnp.asarray(jax.ShapeDtypeStruct((3,), jnp.float32)))
call("sds cond", lambda: jax.lax.cond(True, lambda v: v, lambda v: v, jax.ShapeDtypeStruct((3,), jnp.float32)))
call("sds make_jaxpr", lambda: str(jax.make_jaxpr(lambda v: v * 2)(jax.ShapeDtypeStruct((3,), jnp.float32))))
call("sds zeros_like", lambda: jnp.zeros_like(jax.ShapeDtypeStruct((3,), jnp.float32)))
