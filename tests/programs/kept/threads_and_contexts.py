# shows: Contexts and updates in threads and generators; tracers that leak; a context that is never left.
import jax, jax.numpy as jnp, numpy as np, threading, queue, gc, weakref, contextlib, time
from concurrent.futures import ThreadPoolExecutor
f = jax.jit(lambda x: x * 2)
x = jnp.ones(3)
def in_thread(th):
    out = []
    t = threading.Thread(target=lambda: out.append(th())); t.start(); t.join(); return out[0] if out else None
call("main", lambda: f(x)); call("thread", lambda: in_thread(lambda: f(x)))
with jax.default_matmul_precision("highest"):
    call("main ctx", lambda: f(x)); call("thread in ctx", lambda: in_thread(lambda: f(x)))
jax.config.update("jax_default_matmul_precision", "bfloat16")
call("main cfg", lambda: f(x)); call("thread cfg", lambda: in_thread(lambda: f(x)))
jax.config.update("jax_default_matmul_precision", None)
def enter(): 
    c = jax.enable_x64(True); c.__enter__(); return f(1.0).dtype
call("thread leaves open", lambda: str(in_thread(enter))); call("main after", lambda: f(1.0)); call("thread after", lambda: in_thread(lambda: f(1.0)))
def upd(): jax.config.update("jax_enable_x64", True); return f(1.0)
call("thread update", lambda: in_thread(upd)); call("main after update", lambda: f(1.0)); jax.config.update("jax_enable_x64", False)
@jax.jit
def spawns(x): return in_thread(lambda: f(jnp.ones(3))) + x
call("spawn in trace", lambda: spawns(x)); call("again", lambda: spawns(x))
leak = []
@jax.jit
def leaks(x): leak.append(x); return x + 1
call("leak", lambda: leaks(x)); call("use leak", lambda: leak[0] + 1); call("use leak in jit", lambda: jax.jit(lambda y: y + leak[0])(x)); call("thread leak", lambda: in_thread(lambda: None))
@jax.jit
def tracer_in_thread(x): return in_thread(lambda: x + 1)
call("tracer in thread", lambda: tracer_in_thread(x))
q = queue.Queue()
def worker():
    while (item := q.get()) is not None: res.append(f(item))
res = []
t = threading.Thread(target=worker, daemon=True); t.start()
for i in (3, 5): q.put(jnp.ones(i))
q.put(None); t.join()
call("after queue", lambda: f(jnp.ones(5)))
@contextlib.contextmanager
def mine():
    with jax.enable_x64(True), jax.debug_nans(True):
        yield
with mine(): call("mine", lambda: f(1.0))
call("out", lambda: f(1.0))
def gen():
    with jax.enable_x64(True):
        yield f(1.0)
        yield f(2.0)
g = gen(); call("gen 1", lambda: next(g)); call("between", lambda: f(1.0)); call("gen 2", lambda: next(g)); call("closed", lambda: g.close()); call("after close", lambda: f(1.0))
@jax.enable_x64(True)
def decorated(x): return f(x)
call("decorated", lambda: decorated(1.0)); call("after deco", lambda: f(1.0))
d = jax.jit(jax.default_matmul_precision("highest")(lambda x: x @ x)); call("deco jit", lambda: d(x)); call("deco jit again", lambda: d(x))
with contextlib.ExitStack() as st:
    st.enter_context(jax.numpy_rank_promotion("raise")); call("stack", lambda: f(x)); call("raises", lambda: jax.jit(lambda a, b: a + b)(jnp.ones((2, 3)), x))
call("fine", lambda: jax.jit(lambda a, b: a + b)(jnp.ones((2, 3)), x))
try:
    with jax.debug_nans(True):
        call("nan", lambda: f(jnp.nan)); call("nan jit", lambda: jax.jit(lambda x: x / 0)(0.0)); raise ValueError
except ValueError: pass
call("after raise", lambda: f(jnp.nan))
