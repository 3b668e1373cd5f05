# shows: A disk cache over three processes, with files removed between.
# processes: 3
# env: JAX_ENABLE_COMPILATION_CACHE=true
import os, jax, jax.numpy as jnp, numpy as np
from jax.experimental.compilation_cache import compilation_cache as cc
d = os.path.join(os.environ["CASE_TMP"], "cache")
cc.set_cache_dir(d)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", 0)
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
P = int(os.environ["CASE_PROCESS"])
class M:
    def __init__(self, n): self.n = n
    def step(self, p, x): return jax.tree.map(lambda a: a - 0.1 * x.mean(), p)
m = M(P)
step = jax.jit(m.step)
p = {"w": jnp.ones((2, 2)), "b": jnp.zeros(2)}
p = call("s1", lambda: step(p, np.ones(3, np.float32)))
p = call("s2", lambda: step(p, np.ones(3, np.float32)))
call("aot", lambda: jax.jit(lambda x: jnp.dot(x, x)).lower(jax.ShapeDtypeStruct((3,), jnp.float32)).compile()(jnp.ones(3)))
note("files", len([f for f in os.listdir(d) if f.endswith("-cache")]))
if P == 1:
    for f in os.listdir(d):
        if "step" in f: os.remove(os.path.join(d, f))
call("rng", lambda: jax.random.normal(jax.random.key(P), (2,)))
jax.config.update("jax_enable_compilation_cache", False)
call("off", lambda: jax.jit(lambda x: x * 3)(1.))
