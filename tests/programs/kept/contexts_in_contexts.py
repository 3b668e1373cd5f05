# shows: Contexts in contexts, in a traced function, and settings flipped by one.
import jax, jax.numpy as jnp, numpy as np
from functools import partial
x = jnp.ones((4, 3))
def f(x): return x * 2 + 1
ctxs = {"prec": lambda: jax.default_matmul_precision("float32"), "prec2": lambda: jax.default_matmul_precision("bfloat16"), "x64": lambda: jax.enable_x64(True), "promo": lambda: jax.numpy_dtype_promotion("strict"), "rank": lambda: jax.numpy_rank_promotion("raise"), "guard": lambda: jax.transfer_guard("log"), "nans": lambda: jax.debug_nans(True), "infs": lambda: jax.debug_infs(True), "prng": lambda: jax.default_prng_impl("rbg"), "jitoff": lambda: jax.disable_jit(), "tag": lambda: jax.named_scope("a"), "keyreuse": lambda: jax.debug_key_reuse(True), "dev": lambda: jax.default_device(jax.devices()[0]), "log": lambda: jax.log_compiles(True), "thread": lambda: jax.threefry_partitionable(False), "legacy": lambda: jax.legacy_prng_key("allow"), "spmd": lambda: jax.spmd_mode("allow_all") if hasattr(jax, "spmd_mode") else jax.log_compiles(), "cust": lambda: jax.softmax_custom_jvp(True), "upcast": lambda: jax.numpy_dtype_promotion("standard")}
g = jax.jit(f)
call("plain", lambda: g(x))
for n, c in ctxs.items():
    try:
        with c():
            call(n, lambda: g(x))
            call(n + " again", lambda: g(x))
    except Exception as e: print(n, type(e).__name__, str(e)[:200])
names = list(ctxs)
for n, m in [("prec", "x64"), ("x64", "prec"), ("nans", "x64"), ("promo", "rank"), ("rank", "promo"), ("prec", "prec2"), ("prec2", "prec"), ("jitoff", "nans"), ("dev", "x64"), ("keyreuse", "nans")]:
    with ctxs[n]():
        with ctxs[m]():
            call(f"{n}>{m}", lambda: g(x))
        call(f"{n} after {m}", lambda: g(x))
call("plain again", lambda: g(x))
# a context inside of the traced function
@jax.jit
def inside(x):
    with jax.default_matmul_precision("highest"):
        y = x @ x.T
    with jax.numpy_dtype_promotion("strict"):
        try: y = y + jnp.int32(1)
        except Exception as e: print(type(e).__name__)
    with jax.disable_jit():
        y = g(y)
    with jax.debug_nans(True):
        y = g(y)
    with jax.named_scope("s"):
        return y.sum()
call("inside", lambda: inside(x)); call("inside again", lambda: inside(x))
with jax.default_matmul_precision("highest"): call("inside in", lambda: inside(x))
@jax.jit
def flips(x):
    jax.config.update("jax_numpy_rank_promotion", "warn")
    return x + 1
call("flip", lambda: flips(x)); call("flip again", lambda: flips(x)); call("flip third", lambda: flips(x)); call("g after", lambda: g(x))
jax.config.update("jax_numpy_rank_promotion", "allow")
call("flip back", lambda: flips(x)); call("g back", lambda: g(x))
@jax.jit
def flips64(x):
    jax.config.update("jax_enable_x64", True)
    return jnp.arange(3).astype(float) + x[0]
try: call("f64", lambda: flips64(x)); call("f64 again", lambda: flips64(x))
except Exception as e: print(type(e).__name__, str(e)[:200])
jax.config.update("jax_enable_x64", False)
call("f64 back", lambda: flips64(x))
