# shows: Registered classes that misbehave, and errors of tree functions.
import jax, jax.numpy as jnp, dataclasses
from jax.tree_util import *
# odd pytrees
@dataclasses.dataclass
class Plain: x: object
class Vec:
    __slots__ = ("d",)
    def __init__(self, d): self.d = d
register_pytree_node(Vec, lambda v: ((v.d,), None), lambda _, c: Vec(*c))
class Keyed:
    def __init__(self, a, b, meta): self.a, self.b, self.meta = a, b, meta
register_pytree_with_keys(Keyed, lambda k: (((GetAttrKey("a"), k.a), (GetAttrKey("b"), k.b)), k.meta), lambda m, c: Keyed(*c, m))
register_static(type("S", (), {"__eq__": lambda s, o: True, "__hash__": lambda s: 1})) if False else None
f = jax.jit(lambda t: jax.tree.map(lambda x: x * 2, t))
call("plain", lambda: f(Plain(1)))
call("vec", lambda: f(Vec(jnp.ones(2))))
call("keyed", lambda: f(Keyed(1, 2.0, "m")))
call("keyed meta", lambda: f(Keyed(1, 2.0, "n")))
call("keyed shape", lambda: f(Keyed(jnp.ones(2), 2.0, "n")))
call("keyed unhash", lambda: f(Keyed(1, 2.0, [1])))
call("keyed unhash2", lambda: f(Keyed(1, 2.0, [1])))
call("keyed arr meta", lambda: f(Keyed(1, 2.0, jnp.ones(2))))
call("dup", lambda: register_pytree_node(Vec, lambda v: ((), None), lambda m, c: 0))
call("nested", lambda: f({"a": [Vec(1), (None, Keyed(1, 2, 3))]}))
call("empty", lambda: f({"a": [], "b": ()}))
call("partial", lambda: f(Partial(lambda x, y: x, 1, y=2)))
call("partial call", lambda: jax.jit(lambda p, x: p(x))(Partial(jnp.add, 1), 2))
call("partial2", lambda: jax.jit(lambda p, x: p(x))(Partial(jnp.add, 2), 2))
call("partial lam", lambda: [jax.jit(lambda p, x: p(x))(Partial(lambda y: y), 2) for _ in range(2)])
call("map2", lambda: tree_map(lambda a, b: a + b, {"a": 1}, {"b": 2}))
call("map3", lambda: tree_map(lambda a, b: a + b, [1, 2], [1]))
call("path", lambda: str(tree_map_with_path(lambda p, x: keystr(p), {"a": [1, Keyed(1, 2, 3)]})))
call("unfl", lambda: tree_unflatten(tree_structure([1, 2]), [1]))
call("all", lambda: tree_all([True, 1]))
call("struct eq", lambda: tree_structure([1]) == tree_structure([2]))
call("flat up", lambda: tree_structure([1, 2]).flatten_up_to([[1], {"a": 1}]))
call("isleaf", lambda: tree_leaves([None, (1, 2)], is_leaf=lambda x: isinstance(x, tuple)))
call("out", lambda: jax.jit(lambda x: Keyed(x, [x, None], "z"))(1))
call("out plain", lambda: jax.jit(lambda x: Plain(x))(1))
call("out str", lambda: jax.jit(lambda x: {"a": "s"})(1))
call("out none", lambda: jax.jit(lambda x: None)(1))
call("out gen", lambda: jax.jit(lambda x: (i for i in [x]))(1))
call("out cls", lambda: jax.jit(lambda x: int)(1))
call("out const", lambda: jax.jit(lambda x: (1, 2.0, True, jnp.ones(2)))(1))
call("bcast pfx", lambda: jax.tree.broadcast(1, [1, 2]) if hasattr(jax.tree, "broadcast") else 0)
@dataclasses.dataclass(eq=False)
class Bad: a: int
register_dataclass(Bad, ["a"], [])
call("dc", lambda: f(Bad(3)))
call("dc bad", lambda: register_dataclass(Bad, ["zz"], []))
def bad_unflat(m, c): raise ValueError("unflat")
class U: pass
register_pytree_node(U, lambda u: ((1,), None), bad_unflat)
call("bad unflat", lambda: jax.jit(lambda u: 1)(U()))
call("bad unflat2", lambda: jax.jit(lambda u: 1)(U()))
class F: pass
def badf(f): raise KeyError("flat")
register_pytree_node(F, badf, lambda m, c: F())
call("bad flat", lambda: jax.jit(lambda u: 1)(F()))

