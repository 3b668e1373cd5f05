# shows: Functions made again, collected, cleared while they run, and called by each other.
import jax, jax.numpy as jnp, numpy as np, gc, weakref, sys, threading, functools
x = jnp.ones(3)
def make(n):
    def f(x): return x * n
    return f
g = jax.jit(make(1)); call("g", lambda: g(x)); w = weakref.ref(g); print(w() is not None)
del g; gc.collect(); print(w() is None)
call("new same name", lambda: jax.jit(make(1))(x)); gc.collect(); call("new after gc", lambda: jax.jit(make(1))(x))
for i in range(3):
    def body(x): return x + i
    call(f"loop {i}", lambda: jax.jit(body)(x))
fs = [jax.jit(lambda x, i=i: x + i) for i in range(3)]
for i, f in enumerate(fs): call(f"d {i}", lambda: f(x))
for i, f in enumerate(fs): call(f"d {i} again", lambda: f(x))
fs2 = [jax.jit(lambda x: x + i) for i in range(3)]
for k, f in enumerate(fs2): call(f"late {k}", lambda: f(x))
i = 7
for k, f in enumerate(fs2): call(f"late {k} changed", lambda: f(x)); 
call("late other shape", lambda: fs2[0](jnp.ones(4)))
jax.clear_caches(); call("cleared", lambda: fs[0](x)); call("cleared late", lambda: fs2[0](x)); fs[0].clear_cache(); call("own cleared", lambda: fs[0](x)); call("other", lambda: fs[1](x))
print(fs[0]._cache_size(), fs[1]._cache_size())
@jax.jit
def clears(x):
    jax.clear_caches()
    return x + 1
call("clears", lambda: clears(x)); call("clears again", lambda: clears(x))
@jax.jit
def collects(x):
    gc.collect(); return jax.jit(lambda y: y * 2)(x)
call("collects", lambda: collects(x)); call("collects again", lambda: collects(x))
d = weakref.WeakKeyDictionary(); d[fs[0]] = 1; print(len(d)); wf = weakref.finalize(fs[2], print, "dead"); del f, fs; gc.collect(); print(len(d), wf.alive)
@jax.jit
def rec(x): return rec(x)
try: call("endless", lambda: rec(x))
except RecursionError as e: print(type(e).__name__)
call("after", lambda: jax.jit(lambda x: x)(x))
@functools.partial(jax.jit, static_argnums=1)
def fib(x, n): return x if n < 2 else fib(x, n - 1) + fib(x, n - 2)
call("fib", lambda: fib(x, 6)); call("fib7", lambda: fib(x, 7))
@jax.jit
def a(x, n=3): return b(x)
@jax.jit
def b(x): return c(x) + c(x * 2)
@jax.jit
def c(x): return x - 1
call("abc", lambda: a(x)); call("c", lambda: c(x)); call("b", lambda: b(x)); call("a n", lambda: a(x, 3)); call("a kw", lambda: a(x=x)); call("a kw n", lambda: a(n=3, x=x)); call("a kw n2", lambda: a(x=x, n=3))
out = []
def work(k):
    with jax.enable_x64(k % 2 == 0): out.append(a(x).dtype.name)
for k in range(3):
    t = threading.Thread(target=work, args=(k,)); t.start(); t.join()
print(out)
call("after threads", lambda: a(x))
