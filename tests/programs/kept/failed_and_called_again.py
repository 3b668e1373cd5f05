# shows: Functions that fail at first, exit, are redefined or change while they are cached; deep nesting and many leaves.
import jax, jax.numpy as jnp, numpy as np, gc, time
from functools import partial
def tr(label, th):
    try: return call(label, th)
    except BaseException as e: print(label, type(e).__name__)
x = jnp.ones(3)
inner = jax.jit(lambda x, n: x * n, static_argnums=1)
@partial(jax.jit, static_argnames="n")
def outer(x, n): return inner(x, n) + inner(x, n + 1)
for n in (1, 2, 1, 3, 2.0, True, np.int32(1)): tr(f"outer {n!r}", lambda: outer(x, n))
tr("inner 1", lambda: inner(x, 1)); tr("inner 9", lambda: inner(x, 9)); tr("inner tr", lambda: outer(x, jnp.int32(1)))
@jax.jit
def uses_static_of_tracer(x, k): return inner(x, k)
tr("tracer static", lambda: uses_static_of_tracer(x, 2)); tr("after", lambda: inner(x, 2))
@jax.jit
def side(x):
    log.append(1); return x + len(log)
log = []
for i in range(3): tr(f"side {i}", lambda: side(x))
tr("len", lambda: len(log)); tr("side shape", lambda: side(jnp.ones(2)))
@jax.jit
def time_dep(x): return x + COUNT[0]
COUNT = [1]; tr("c1", lambda: time_dep(x)); COUNT[0] = 2; tr("c2", lambda: time_dep(x)); COUNT = [5]; tr("c5", lambda: time_dep(x)); time_dep.clear_cache(); tr("cleared", lambda: time_dep(x))
@jax.jit
def flaky(x):
    if FAIL: raise RuntimeError("flaky")
    return x
FAIL = True; tr("fail", lambda: flaky(x)); FAIL = False; tr("ok", lambda: flaky(x)); tr("ok 2", lambda: flaky(x)); tr("ok other", lambda: flaky(jnp.ones(2))); tr("ok other 2", lambda: flaky(jnp.ones(2))); jax.clear_caches(); tr("cleared", lambda: flaky(x)); tr("cleared 2", lambda: flaky(x))
FAIL = True; tr("fail lower", lambda: flaky.lower(jnp.ones(5))); FAIL = False; tr("lower", lambda: flaky.lower(jnp.ones(5))); tr("call", lambda: flaky(jnp.ones(5))); FAIL = True; tr("grad fail", lambda: jax.grad(lambda v: flaky(v).sum())(jnp.ones(6))); FAIL = False; tr("grad", lambda: jax.grad(lambda v: flaky(v).sum())(jnp.ones(6))); tr("call 6", lambda: flaky(jnp.ones(6)))
@jax.jit
def nested_flaky(x): return flaky(x) + 1
FAIL = True; tr("nf", lambda: nested_flaky(jnp.ones(7))); FAIL = False; tr("nf ok", lambda: nested_flaky(jnp.ones(7))); tr("nf ok 2", lambda: nested_flaky(jnp.ones(7))); tr("flaky 7", lambda: flaky(jnp.ones(7)))
@jax.jit
def catches(x):
    try: return flaky(x)
    except RuntimeError: return x * 0
FAIL = True; tr("catches", lambda: catches(jnp.ones(8))); FAIL = False; tr("catches 2", lambda: catches(jnp.ones(8))); tr("flaky 8", lambda: flaky(jnp.ones(8)))
@jax.jit
def exits(x): raise SystemExit(3)
tr("exits", lambda: exits(x)); tr("exits 2", lambda: exits(x)); tr("fine", lambda: inner(x, 1))
@jax.jit
def interrupted(x):
    if FAIL: raise KeyboardInterrupt
    return x
FAIL = True; tr("int", lambda: interrupted(x)); FAIL = False; tr("int ok", lambda: interrupted(x)); tr("int ok 2", lambda: interrupted(x))
def redefine(k):
    src = f"def f(x):\n    return x * {k}\n"; ns = {}; exec(src, ns); return ns["f"]
for k in (1, 2, 1): tr(f"exec {k}", lambda: jax.jit(redefine(k))(x))
for k in range(2):
    def f(x): return x * k
    f = jax.jit(f); tr(f"def {k}", lambda: f(x)); tr(f"def {k} again", lambda: f(x))
code = f.__wrapped__.__code__; f.__wrapped__.__code__ = (lambda x: x * 100).__code__; tr("code swapped", lambda: f(x)); tr("code swapped new", lambda: f(jnp.ones(9)))
f.__wrapped__.__defaults__ = (7,); tr("defaults", lambda: f()); 
def dflt(x, n=2): return x * n
jd = jax.jit(dflt); tr("n2", lambda: jd(x)); dflt.__defaults__ = (3,); tr("n3", lambda: jd(x)); dflt.__kwdefaults__ = {}; tr("n3b", lambda: jd(jnp.ones(2)))
import sys
lim = sys.getrecursionlimit()
def many(n): 
    h = jax.jit(lambda x: x) 
    for _ in range(n): h = jax.jit(h)
    return h
tr("5 deep", lambda: many(5)(x))
big = {f"k{i}": jnp.ones(2) for i in range(40)}; bj = jax.jit(lambda t: sum(jax.tree.leaves(t))); tr("40 leaves", lambda: bj(big)); tr("again", lambda: bj(dict(reversed(big.items())))); big["k40"] = 1.0; tr("41", lambda: bj(big)); va = jax.jit(lambda *a: sum(a)); tr("100 args", lambda: va(*range(100))); tr("101 args", lambda: va(*range(101)))
deep = x
for _ in range(60): deep = [deep]
tr("deep tree", lambda: jax.jit(lambda t: jax.tree.leaves(t)[0])(deep))
gc.collect(); tr("end", lambda: inner(x, 1))
