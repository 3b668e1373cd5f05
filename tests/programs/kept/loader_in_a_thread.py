# shows: Batches from another thread; errors there.
import jax, jax.numpy as jnp, threading
# prefetching loader thread, worker results, locals
@jax.jit
def proc(x): return (x - x.mean()) / (x.std() + 1e-6)
q = queue.Queue() if False else []
def loader():
    for n in (2, 3, 2): q.append(jnp.arange(float(n)))
t = threading.Thread(target=loader, daemon=True); t.start(); t.join()
for b in q: proc(b)
out = []
def work():
    with jax.disable_jit(): out.append(float(proc(jnp.ones(2))[0]))
    jax.config.update("jax_default_matmul_precision", "high") if False else None
t = threading.Thread(target=work); t.start(); t.join()
proc(jnp.ones(2))
import time
lock = threading.Lock()
with lock: proc(jnp.ones(4))
loc = threading.local(); loc.x = proc
loc.x(jnp.ones(4))
def err():
    try: proc("bad")
    except TypeError as e: print("E", str(e)[:20])
t = threading.Thread(target=err); t.start(); t.join()
