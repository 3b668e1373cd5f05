# shows: Calls from other threads; a context of one thread only.
import jax, jax.numpy as jnp, threading
@jax.jit
def f(x): return x * 2
res = []
def work(i):
    res.append(int(f(jnp.int32(i))))
f(jnp.int32(0))
ts = [threading.Thread(target=work, args=(i,)) for i in range(3)]
for t in ts: t.start(); t.join()
print(res)
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(1) as ex:
    print(list(ex.map(lambda i: int(f(i)), range(3))))
def ctx():
    with jax.default_matmul_precision("highest"):
        f(jnp.int32(0))
t = threading.Thread(target=ctx); t.start(); t.join()
f(jnp.int32(0))
