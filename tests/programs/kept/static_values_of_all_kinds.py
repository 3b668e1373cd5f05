# shows: Enums, named tuples, dtypes, slices, meshes as static arguments.
import jax, jax.numpy as jnp, numpy as np, abc, enum, typing
class Mode(enum.Enum):
    TRAIN = 1
    EVAL = 2
class Layer(abc.ABC):
    @abc.abstractmethod
    def __call__(self, x): ...
class Scale(Layer):
    def __init__(self, s): self.s = s
    def __call__(self, x): return x * self.s
    def __hash__(self): return hash(self.s)
    def __eq__(self, o): return isinstance(o, Scale) and self.s == o.s
run = jax.jit(lambda layer, mode, x: layer(x) if mode is Mode.TRAIN else x, static_argnums=(0, 1))
x = jnp.ones(3)
for l, m in [(Scale(2), Mode.TRAIN), (Scale(2), Mode.TRAIN), (Scale(2.0), Mode.TRAIN), (Scale(3), Mode.EVAL), (Scale(2), Mode.EVAL)]:
    call(f"{l.s} {m.name}", lambda: run(l, m, x))
class Tup(typing.NamedTuple):
    a: int
    b: float = 2.0
st = jax.jit(lambda t, x: x * t.a, static_argnames="t")
call("nt", lambda: st(Tup(1), x))
call("nt2", lambda: st(Tup(1), x))
call("tuple", lambda: st((1, 2.0), x))
call("nt3", lambda: st(Tup(True), x))
call("kw", lambda: st(t=Tup(1), x=x))
call("kw2", lambda: st(x=x, t=Tup(1)))
call("frozenset", lambda: jax.jit(lambda s, x: x, static_argnums=0)(frozenset({1, 2}), x))
call("str", lambda: jax.jit(lambda x, s: x if s == "a" else -x, static_argnames=["s"])(x, s="a"))
call("dtype", lambda: jax.jit(lambda x, d: x.astype(d), static_argnums=1)(x, jnp.int32))
call("np dtype", lambda: jax.jit(lambda x, d: x.astype(d), static_argnums=1)(x, np.dtype("int8")))
call("shape", lambda: jax.jit(lambda s: jnp.zeros(s), static_argnums=0)((2, 3)))
call("slice", lambda: jax.jit(lambda x, s: x[s], static_argnums=1)(x, slice(0, 2)))
call("range", lambda: jax.jit(lambda x, s: x * len(s), static_argnums=1)(x, range(3)))
call("np scalar", lambda: jax.jit(lambda x, s: x * s, static_argnums=1)(x, np.float32(2)))
call("fn", lambda: jax.jit(lambda f, x: f(x), static_argnums=0)(jax.jit(lambda x: x + 1), x))
call("mesh", lambda: jax.jit(lambda m, x: x, static_argnums=0)(jax.make_mesh((1,), ("x",)), x))
call("treedef", lambda: jax.jit(lambda t, x: x, static_argnums=0)(jax.tree.structure([1, 2]), x))
call("sds", lambda: jax.jit(lambda t, x: x, static_argnums=0)(jax.ShapeDtypeStruct((1,), jnp.float32), x))
call("aval", lambda: jax.jit(lambda t, x: x, static_argnums=0)(jax.typeof(x), x))
call("dev", lambda: jax.jit(lambda t, x: x, static_argnums=0)(jax.devices()[0], x))
call("bytes", lambda: jax.jit(lambda t, x: x, static_argnums=0)(b"ab", x))
call("cplx", lambda: jax.jit(lambda t, x: x, static_argnums=0)(1j, x))
call("bool/int", lambda: (lambda g: [g(1, x), g(True, x), g(1.0, x), g(1, x)])(jax.jit(lambda t, x: x * t, static_argnums=0)))
