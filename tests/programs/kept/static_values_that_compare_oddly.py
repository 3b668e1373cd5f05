# shows: Static values that compare, hash and print oddly: NaN, zeros, enums, what always is equal.
import jax, jax.numpy as jnp, numpy as np, enum, dataclasses, functools
x = jnp.ones(3)
def show(label, f, *vals):
    for i, v in enumerate(vals):
        call(f"{label} {i}", lambda: f(v, x))
def mk(): return jax.jit(lambda s, x: x * 2, static_argnums=0)
show("nan same", mk(), (n := float("nan")), n, n)
show("nan fresh", mk(), float("nan"), float("nan"), np.nan, np.float32("nan"))
show("zeros", mk(), 0.0, -0.0, 0, False, 0j, np.float64(0), np.int8(0), np.bool_(False))
show("ones", mk(), 1, True, 1.0, 1+0j, np.int64(1), np.float32(1), np.True_)
show("big", mk(), 2**70, 2**70, 2**70 + 1, float(2**70))
show("none", mk(), None, ..., NotImplemented, None)
show("str", mk(), "a", "".join(["a"]), b"a", "A")
show("tuples", mk(), (1, 2), (1.0, 2), (True, 2), (1, (2,)), ())
show("frozen", mk(), frozenset([1, 2]), frozenset([2, 1]), frozenset([1.0, 2.0]))
show("range", mk(), range(3), range(0, 3), range(0, 3, 1), range(0), range(5, 5))
show("slice", mk(), slice(3), slice(None, 3), slice(0, 3), slice(3))
show("types", mk(), int, float, bool, jnp.float32, np.float32, np.dtype("float32"), jnp.dtype("float32"))
show("fns", mk(), len, abs, max, jnp.sin, np.sin, jax.nn.relu)
show("lambdas", mk(), lambda: 1, lambda: 1)
class E(enum.IntEnum):
    A = 1
    B = 2
class F(enum.Enum):
    A = 1
    B = 1
class G(enum.Flag):
    X = 1
    Y = 2
class H(str, enum.Enum):
    A = "a"
show("enum", mk(), E.A, 1, F.A, F.B, E(1), G.X | G.Y, G.Y | G.X, G(3), H.A, "a")
x = jnp.ones(3)
class AlwaysEq:
    def __eq__(self, o): return True
    def __hash__(self): return 7
class NeverEq:
    def __eq__(self, o): return False
    def __hash__(self): return 7
class Collide:
    def __init__(self, v): self.v = v
    def __eq__(self, o): return isinstance(o, Collide) and self.v == o.v
    def __hash__(self): return 0
class Raises:
    def __init__(self, v): self.v = v
    def __eq__(self, o): raise RuntimeError("no comparing")
    def __hash__(self): return 3
class EqArray:
    def __eq__(self, o): return np.array([True, True])
    def __hash__(self): return 5
class NoneEq:
    def __eq__(self, o): return None
    def __hash__(self): return 6
class NotImpl:
    def __eq__(self, o): return NotImplemented
    def __hash__(self): return 8
class EqOnly:
    def __eq__(self, o): return True
class HashRaises:
    def __hash__(self): raise ValueError("no hash")
class HashStr:
    def __hash__(self): return "a"
class Sub(Collide): pass
f = jax.jit(lambda s, x: x * 2, static_argnums=0)
for name, vals in {"always": (AlwaysEq(), AlwaysEq()), "never": ((n := NeverEq()), n, NeverEq()),
   "collide": (Collide(1), Collide(2), Collide(1), Sub(1)), "raises": ((r := Raises(1)), r, Raises(2)),
   "eqarray": (EqArray(), EqArray()), "none": (NoneEq(), NoneEq()), "ni": (NotImpl(), NotImpl()),
   "eqonly": (EqOnly(),), "hashraises": (HashRaises(),), "hashstr": (HashStr(),),
   "list": ([1],), "dict": ({},), "set": ({1},), "bytearray": (bytearray(b"a"),), "array": (np.ones(2),), "jarray": (x,), "slicearr": (slice(x),), "tuplelist": ((1, [2]),), "memoryview": (memoryview(b"ab"), memoryview(b"ab"))}.items():
    for i, v in enumerate(vals):
        try:
            call(f"{name} {i}", lambda: f(v, x))
        except Exception as e:
            print(type(e).__name__, str(e)[:300])
call("good", lambda: f(1, x))
@functools.partial(jax.jit, static_argnames=("cfg",))
def g(x, cfg): return x * cfg.scale
@dataclasses.dataclass(frozen=True)
class C:
    scale: float = 1.0
    names: tuple = ()
@dataclasses.dataclass(frozen=True)
class D(C):
    pass
@dataclasses.dataclass
class M:
    scale: float = 1.0
@dataclasses.dataclass(eq=False)
class I:
    scale: float = 1.0
@dataclasses.dataclass(frozen=True, order=True, slots=True)
class S:
    scale: float = 1.0
for c in (C(), C(1), C(names=()), D(), C(names=("a",)), dataclasses.replace(C(), scale=2.0), S(), S(1), I(), I(), C(names=["a"]), M()):
    try:
        call(repr(c)[:40] if not isinstance(c, I) else "I", lambda: g(x, cfg=c))
        call("pos", lambda: g(x, c))
    except Exception as e:
        print(type(e).__name__, str(e)[:300])
