# shows: What two processes share on disk, and what not.
# processes: 2
import os, jax, jax.numpy as jnp, logging
jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"] + "/jc")
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
jax.config.update("jax_persistent_cache_enable_xla_caches", "none")
hits = []
jax.monitoring.register_event_listener(lambda n, **k: hits.append(n.rsplit("/", 1)[1]) if "compilation_cache" in n else None)
from jax.sharding import *
@jax.jit
def model(p, x):
    h = jnp.tanh(x @ p["w"] + p["b"])
    return h.mean(axis=0)
p = dict(w=jnp.ones((3, 3)), b=jnp.zeros(3))
for n in (2, 4, 2): call(f"b{n}", lambda: model(p, jnp.ones((n, 3))))
note("hits", hits)
f = lambda x: x * 2
call("lam1", lambda: jax.jit(f)(1.))
call("lam2", lambda: jax.jit(lambda x: x * 2)(1.))
call("lam3", lambda: jax.jit(lambda y: y * 2)(1.))
def f2(x): return x * 2
call("f2", lambda: jax.jit(f2)(1.))
with jax.default_matmul_precision("highest"): call("prec", lambda: model(p, jnp.ones((2, 3))))
call("cb", lambda: jax.jit(lambda x: jax.pure_callback(lambda v: v, jax.ShapeDtypeStruct((), jnp.float32), x))(1.))
call("dbg", lambda: jax.jit(lambda x: (jax.debug.print("{}", x), x)[1])(1.))
call("don", lambda: jax.jit(lambda x: x + 1, donate_argnums=0)(jnp.ones(3)))
call("don2", lambda: jax.jit(lambda x: x + 1)(jnp.ones(3)))
call("opts", lambda: jax.jit(lambda x: x + 1, compiler_options={"xla_embed_ir_in_constants" if 0 else "xla_cpu_enable_fast_math": True})(jnp.ones(3)))
note("files", len(os.listdir(os.environ["CASE_TMP"] + "/jc")))
