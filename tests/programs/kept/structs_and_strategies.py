# shows: Classes as libraries make them: frozen structs, filters of arrays, enums of functions, cached properties.
import jax, jax.numpy as jnp, numpy as np, dataclasses, functools, enum, typing, collections, abc
def tr(label, th):
    try: return call(label, th)
    except Exception as e: print(label, type(e).__name__)
# flax-like struct
class _Meta(type):
    def __new__(m, n, b, d, **k):
        c = dataclasses.dataclass(frozen=True)(super().__new__(m, n, b, d))
        if n != "Struct":
            data = [f.name for f in dataclasses.fields(c) if f.metadata.get("pytree_node", True)]; meta = [f.name for f in dataclasses.fields(c) if not f.metadata.get("pytree_node", True)]
            jax.tree_util.register_dataclass(c, data, meta)
        return c
class Struct(metaclass=_Meta):
    def replace(self, **k): return dataclasses.replace(self, **k)
def static(**k): return dataclasses.field(metadata={"pytree_node": False}, **k)
class State(Struct):
    step: int
    params: typing.Any
    apply: typing.Callable = static(default=None)
    name: str = static(default="s")
def apply(p, x): return x @ p
s = State(0, jnp.ones((3, 2)), apply)
@jax.jit
def step(s, x):
    l, g = jax.value_and_grad(lambda p: s.apply(p, x).sum())(s.params)
    return s.replace(step=s.step + 1, params=s.params - 0.1 * g), l
x = jnp.ones((4, 3))
for i in range(3):
    s, l = call(f"step {i}", lambda: step(s, x))
tr("same", lambda: step(State(s.step, s.params, apply), x)); tr("lambda", lambda: step(s.replace(apply=lambda p, x: x @ p), x)); tr("lambda again", lambda: step(s.replace(apply=lambda p, x: x @ p), x)); tr("partial", lambda: step(s.replace(apply=functools.partial(apply)), x)); tr("name", lambda: step(s.replace(name="t"), x)); tr("jit apply", lambda: step(s.replace(apply=jax.jit(apply)), x)); tr("none", lambda: step(s.replace(apply=None), x)); tr("method", lambda: step(s.replace(apply=Model().apply), x)); tr("np step", lambda: step(s.replace(step=np.int32(3)), x)); tr("py step", lambda: step(s.replace(step=3), x))
class Model:
    def apply(self, p, x): return x @ p
m = Model(); tr("bound", lambda: step(s.replace(apply=m.apply), x)); tr("bound again", lambda: step(s.replace(apply=m.apply), x)); tr("bound other", lambda: step(s.replace(apply=Model().apply), x))
# equinox-like filter
def is_array(a): return isinstance(a, (jax.Array, np.ndarray))
def partition(t):
    l, d = jax.tree.flatten(t); return [a if is_array(a) else None for a in l], (tuple(None if is_array(a) else a for a in l), d)
def filter_jit(f):
    @functools.partial(jax.jit, static_argnums=1)
    def inner(dyn, st):
        l = [d if s is None else s for d, s in zip(dyn, st[0])]; a, k = jax.tree.unflatten(st[1], l); return f(*a, **k)
    @functools.wraps(f)
    def outer(*a, **k): return inner(*partition((a, k)))
    return outer
fj = filter_jit(lambda x, n, mode="a": x * n if mode == "a" else x)
tr("fj", lambda: fj(x, 2)); tr("fj 2.0", lambda: fj(x, 2.0)); tr("fj again", lambda: fj(x, 2)); tr("fj mode", lambda: fj(x, 2, mode="b")); tr("fj kw", lambda: fj(x, n=2)); tr("fj np", lambda: fj(np.ones(3, np.float32), 2)); tr("fj list", lambda: fj([x][0], 2)); tr("fj fn", lambda: fj(x, 2, mode=len)); tr("fj true", lambda: fj(x, True)); tr("fj 1", lambda: fj(x, 1))
# registry of strategies, singletons and ABCs
class Act(enum.Enum):
    RELU = functools.partial(jax.nn.relu); TANH = functools.partial(jnp.tanh)
    def __call__(self, v): return self.value(v)
k = jax.jit(lambda v, a: a(v), static_argnums=1)
tr("relu", lambda: k(x, Act.RELU)); tr("tanh", lambda: k(x, Act.TANH)); tr("relu again", lambda: k(x, Act.RELU)); tr("by name", lambda: k(x, Act["RELU"])); tr("value", lambda: k(x, Act.RELU.value)); tr("jnp", lambda: k(x, jnp.tanh)); tr("np", lambda: k(x, np.tanh))
@functools.lru_cache(None)
def build(n, act): return jax.jit(lambda v: act(v) * n)
tr("build", lambda: build(2, jnp.tanh)(x)); tr("build again", lambda: build(2, jnp.tanh)(x)); tr("build 2.0", lambda: build(2.0, jnp.tanh)(x)); tr("build 3", lambda: build(3, jnp.tanh)(x)); build.cache_clear(); tr("cleared", lambda: build(2, jnp.tanh)(x))
@functools.singledispatch
def sd(v): return v
@sd.register(float)
def _(v): return v * 2
js = jax.jit(sd); tr("sd", lambda: js(1.0)); tr("sd arr", lambda: js(x))
class Desc:
    def __get__(self, o, t): return jax.jit(lambda v: v + 1)
class Has: d = Desc()
tr("desc", lambda: Has().d(x)); tr("desc again", lambda: Has().d(x))
class Prop:
    def __init__(self): self.n = 1
    @functools.cached_property
    def f(self): return jax.jit(self._f)
    def _f(self, v): return v * self.n
    def __eq__(self, o): return isinstance(o, Prop) and self.n == o.n
    def __hash__(self): return hash(self.n)
p, q = Prop(), Prop(); tr("p", lambda: p.f(x)); tr("q", lambda: q.f(x)); p.n = 5; tr("p changed", lambda: p.f(x)); tr("p other shape", lambda: p.f(jnp.ones(2)))
class Slots:
    __slots__ = ("n",)
    def __init__(self, n): self.n = n
    @functools.partial(jax.jit, static_argnames="self")
    def f(self, v): return v * self.n
tr("slots", lambda: Slots(2).f(x)); s1 = Slots(2); tr("slots same", lambda: s1.f(x)); tr("slots same", lambda: s1.f(x)); tr("class call", lambda: Slots.f(s1, x)); tr("kw self", lambda: Slots.f(self=s1, v=x))
gen = (jax.jit(lambda v, i=i: v + i) for i in range(3)); tr("gen", lambda: [g(x) for g in gen][0])
tr("walrus", lambda: (w := jax.jit(lambda v: v))(x)); tr("comp", lambda: [jax.jit(lambda v: v * i)(x) for i in range(3)][1]); tr("dict", lambda: {n: jax.jit(fn)(x) for n, fn in dict(a=jnp.sin, b=jnp.cos).items()}["a"])
