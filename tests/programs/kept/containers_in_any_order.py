# shows: Containers of all kinds as arguments, in any order.
import jax, jax.numpy as jnp, numpy as np, functools, collections
from collections import OrderedDict, defaultdict, namedtuple, ChainMap, Counter, deque, UserDict, UserList
f = jax.jit(lambda t: jax.tree.map(lambda a: a * 2, t))
a, b = jnp.ones(2), jnp.zeros(3)
P1 = namedtuple("P", "x y"); P2 = namedtuple("P", "x y"); P3 = namedtuple("P", "y x")
def tr(label, t):
    try: call(label, lambda: f(t))
    except Exception as e: print(label, type(e).__name__, str(e)[:300])
tr("dict", {"a": a, "b": b}); tr("dict rev", {"b": b, "a": a})
tr("od", OrderedDict(a=a, b=b)); tr("od rev", OrderedDict(b=b, a=a)); tr("od again", OrderedDict(a=a, b=b))
tr("dd", defaultdict(list, a=a)); tr("dd int", defaultdict(int, a=a)); tr("dd none", defaultdict(None, a=a)); tr("dd lambda", defaultdict(lambda: 0, a=a)); tr("dd lambda2", defaultdict(lambda: 0, a=a)); tr("dd same", defaultdict(list, a=a))
tr("P1", P1(a, b)); tr("P2", P2(a, b)); tr("P3", P3(a, b)); tr("P1 again", P1(a, b)); tr("P kw", P1(y=b, x=a))
tr("counter", Counter("aab")); tr("deque", deque([a, b])); tr("chainmap", ChainMap({"a": a})); tr("userdict", UserDict(a=a)); tr("userlist", UserList([a]))
tr("mixed keys", {1: a, "b": b}); tr("int keys", {1: a, 2: b}); tr("int keys rev", {2: b, 1: a}); tr("bool keys", {True: a, False: b}); tr("float keys", {1.0: a, 2.0: b}); tr("tuple keys", {(1, 2): a, (0, 1): b}); tr("none key", {None: a}); tr("key 1 vs True", {True: a, 2: b})
tr("list", [a, b]); tr("tuple", (a, b)); tr("nested", [(a,), {"k": [b]}]); tr("empty", {}); tr("empty list", []); tr("empty tuple", ()); tr("none", None); tr("list none", [None, a]); tr("tuple none", (None, a))
class DictSub(dict): pass
class ListSub(list): pass
class TupSub(tuple): pass
tr("dictsub", DictSub(a=a)); tr("listsub", ListSub([a])); tr("tupsub", TupSub((a,)))
tr("set", {1.0}); tr("gen", (i for i in [a])); tr("map", map(abs, [a])); tr("keys", {"a": a}.keys()); tr("zip", zip([a], [b])); tr("iter", iter([a])); tr("str", "abc"); tr("bytes", b"a"); tr("obj", object()); tr("type", int); tr("func", len); tr("range", range(3)); tr("ellipsis", ...)
tr("complex", 1j); tr("bool", True); tr("big", 2**31); tr("bigger", 2**63); tr("huge", 2**64); tr("neg", -2**31 - 1); tr("np int64", np.int64(1)); tr("np bool", np.bool_(True)); tr("float sub", type("Fl", (float,), {})(1.0)); tr("int sub", type("In", (int,), {})(1))
