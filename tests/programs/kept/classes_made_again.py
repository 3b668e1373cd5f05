# shows: How often pytree classes are made and taken apart; metadata that cannot be compared.
import jax, jax.numpy as jnp, numpy as np
from functools import partial
@jax.tree_util.register_pytree_node_class
class Node:
    def __init__(self, v, aux): self.v, self.aux = v, aux
    def tree_flatten(self): return (self.v,), self.aux
    @classmethod
    def tree_unflatten(cls, aux, ch): return cls(ch[0], aux)
f = jax.jit(lambda n: Node(n.v * 2, n.aux))
x = jnp.ones(2)
def tr(label, t):
    try: call(label, lambda: f(t))
    except Exception as e: print(label, type(e).__name__, str(e)[:400])
tr("aux 1", Node(x, 1)); tr("aux True", Node(x, True)); tr("aux 1.0", Node(x, 1.0)); tr("aux list", Node(x, [1])); tr("aux list again", Node(x, [1])); tr("aux dict", Node(x, {"a": 1})); tr("aux np", Node(x, np.ones(2))); tr("aux np again", Node(x, np.ones(2)))
tr("aux np scalar", Node(x, np.float32(1))); tr("aux jnp", Node(x, jnp.ones(2))); tr("aux nan", Node(x, float("nan"))); tr("aux nan again", Node(x, float("nan"))); n = float("nan"); tr("aux same nan", Node(x, n)); tr("aux same nan", Node(x, n)); tr("aux set", Node(x, {1})); tr("aux none", Node(x, None)); tr("aux fn", Node(x, lambda: 1)); tr("aux str", Node(x, "a")); tr("aux tuple", Node(x, (1, "a"))); tr("aux tuple list", Node(x, (1, ["a"])))
class Bad:
    def __init__(self, v): self.v = v
jax.tree_util.register_pytree_node(Bad, lambda b: 1 / 0, lambda a, c: Bad(*c))
tr("bad flatten", Bad(x))
class Bad2:
    def __init__(self, v): self.v = v
jax.tree_util.register_pytree_node(Bad2, lambda b: (b.v,), lambda a, c: Bad2(*c))
tr("bad flatten 1", Bad2(x))
class Bad3:
    def __init__(self, v):
        if not hasattr(v, "shape"): raise TypeError("want array")
        self.v = v * 1
jax.tree_util.register_pytree_node(Bad3, lambda b: ((b.v,), None), lambda a, c: Bad3(*c))
f3 = jax.jit(lambda b: Bad3(b.v + 1))
try:
  call("validating", lambda: f3(Bad3(x))); call("validating again", lambda: f3(Bad3(x)))
except Exception as e: print(type(e).__name__, str(e)[:200])
class L(list): pass
jax.tree_util.register_pytree_node(L, lambda l: (list(l), None), lambda a, c: L(c))
f4 = jax.jit(lambda l: L([l[0] + 1]))
call("listsub", lambda: f4(L([x]))); call("listsub2", lambda: f4(L([x]))); 
try: call("two", lambda: f4(L([x, x])))
except Exception as e: print(type(e).__name__, str(e)[:200])
import dataclasses
@partial(jax.tree_util.register_dataclass, data_fields=["w", "b"], meta_fields=["name"])
@dataclasses.dataclass
class Layer:
    w: object
    b: object = None
    name: str = "a"
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Layer2:
    w: object
    act: object = dataclasses.field(default=None, metadata=dict(static=True))
g = jax.jit(lambda l: l.w * 2)
def tg(label, t):
    try: call(label, lambda: g(t))
    except Exception as e: print(label, type(e).__name__, str(e)[:400])
tg("L", Layer(x)); tg("L b", Layer(x, x)); tg("L name", Layer(x, name="b")); tg("L again", Layer(x, None, "a")); tg("L list", Layer(x, name=["q"])); tg("L replaced", dataclasses.replace(Layer(x), w=x + 1)); tg("L2", Layer2(x)); tg("L2 relu", Layer2(x, jax.nn.relu)); tg("L2 lambda", Layer2(x, lambda v: v)); tg("L2 lambda again", Layer2(x, lambda v: v)); tg("L2 nested", Layer2(x, (1, 2))); tg("L in L", Layer(x, Layer(x)))
h = jax.jit(lambda p: p(x)); 
P = jax.tree_util.Partial
call("partial", lambda: h(P(jnp.add, x))); call("partial again", lambda: h(P(jnp.add, x))); call("partial lambda", lambda: h(P(lambda a, b: a, x))); call("partial partial", lambda: h(P(P(jnp.add, x)))); call("partial kw", lambda: h(P(jnp.sum, axis=0))) if 0 else None
x = jnp.ones(2)
N=[0]
class Node:
    def __init__(self, v, aux): self.v, self.aux = v, aux; N[0] += 1
def fl(self): return (self.v,), self.aux
jax.tree_util.register_pytree_node(Node, fl, lambda aux, ch: Node(ch[0], aux))
g = jax.jit(lambda n: Node(n.v * 2, n.aux))
n=Node(x,1)
def sec(name, th):
    N[0] = 0; r = th(); note(name, N[0]); return r
sec("g", lambda: g(n))
sec("g", lambda: g(n))
k=sec("lower", lambda: g.lower(n))
k=sec("compile", lambda: k.compile())
sec("call", lambda: k(n))
sec("call", lambda: k(n))
sec("eval_shape", lambda: jax.eval_shape(g, n))
sec("make_jaxpr", lambda: jax.make_jaxpr(g)(n))
sec("scan", lambda: jax.lax.scan(lambda n, _: (n, None), n, None, length=2))
sec("cond", lambda: jax.lax.cond(True, lambda n: n, lambda n: n, n))
sec("switch", lambda: jax.lax.switch(1, [lambda n: n, lambda n: n], n))
sec("while", lambda: jax.lax.while_loop(lambda n: n.v[0]<2, lambda n: Node(n.v + 1, n.aux), n))
sec("grad", lambda: jax.grad(lambda n: g(n).v.sum())(n))
sec("vg", lambda: jax.value_and_grad(lambda n: n.v.sum())(n))
sec("jvp", lambda: jax.jvp(lambda n: n, (n,), (n,)))
sec("vjp", lambda: jax.vjp(lambda n: n, n)[1](n))
sec("lin", lambda: jax.linearize(lambda n: n, n)[1](n))
sec("fori", lambda: jax.lax.fori_loop(0, 3, lambda i, n: n, n))
sec("scan xs", lambda: jax.lax.scan(lambda c, n: (c, n), 0., n))
sec("map", lambda: jax.lax.map(lambda n: n, n))
sec("device_put", lambda: jax.device_put(n))
sec("device_get", lambda: jax.device_get(n))
sec("block", lambda: jax.block_until_ready(n))
sec("tree.map", lambda: jax.tree.map(lambda a: a, n))
sec("leaves_with_path", lambda: jax.tree_util.tree_leaves_with_path(n))
sec("checkpoint", lambda: jax.checkpoint(lambda n: n)(n))
sec("checkpoint jit", lambda: jax.jit(jax.checkpoint(lambda n: n))(n))
c = jax.custom_vjp(lambda n: n); c.defvjp(lambda n: (n, None), lambda _, t: (t,))
sec("custom_vjp", lambda: c(n)); sec("custom_vjp grad", lambda: jax.grad(lambda n: c(n).v.sum())(n))
c = jax.custom_jvp(lambda n: n); c.defjvp(lambda p, t: (p[0], t[0]))
sec("custom_jvp", lambda: c(n)); sec("custom_jvp grad", lambda: jax.grad(lambda n: c(n).v.sum())(n))
sec("disable", lambda: jax.disable_jit()(lambda: g(n))() if False else None)
sec("debug", lambda: jax.debug.print("{}", 1))
sec("stop", lambda: jax.lax.stop_gradient(n)); sec("eval_shape plain", lambda: jax.eval_shape(lambda n: n, n)); sec("jaxpr plain", lambda: jax.make_jaxpr(lambda n: n)(n))
