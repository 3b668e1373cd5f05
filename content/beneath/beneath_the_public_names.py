# title: Beneath the public names
# Uses names of JAX's source, so only real JAX runs it, not the model.
import os
import jax
import numpy as np
from functools import partial
from jax import lax
from jax._src import cache_key, pjit

jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"] + "/cache")
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)

def f(x):
    return lax.sin(x)

def power(x, n):
    return x ** n

keys = {}
get = cache_key.get

def both_compressions(module, devices, options, backend, compression, *rest):
    for name in ("zlib", "zstandard"):
        keys[name] = get(module, devices, options, backend, name, *rest)
    return keys[compression]

xn = np.arange(3, dtype=np.float32)
x = jax.device_put(xn)
g = jax.jit(f)

# The key on disk: what is in it beside the module and its platform.
call("g(x)", lambda: g(x))
own_hook = cache_key.custom_hook
note("what the hook gives", own_hook())
cache_key.custom_hook = lambda: "something else"
jax.clear_caches()
call("g(x), another hook", lambda: g(x))
cache_key.custom_hook = own_hook
jax.clear_caches()
call("g(x), the first hook", lambda: g(x))
cache_key.get = both_compressions
jax.clear_caches()
call("g(x), both compressions", lambda: g(x))
cache_key.get = get
note("keys for both compressions", len(set(keys.values())))

# The two caches in C++: wrappers without options, and with each kind of option.
jax.clear_caches()
call("g(x), caches cleared", lambda: g(x))
call("g(xn)", lambda: g(xn))
call("a lambda", lambda: jax.jit(lambda x: lax.cos(x))(x))
call("a static value", lambda: jax.jit(power, static_argnames="n")(x, n=2))
call("a donated argument", lambda: jax.jit(f, donate_argnums=0)(jax.device_put(xn)))
call("a decorator with options", lambda: partial(jax.jit, inline=True)(f)(x))
call("a bare operation", lambda: lax.exp(x))
note("entries for wrappers without options", pjit._cpp_pjit_cache_fun_only.size())
note("entries for wrappers with options", pjit._cpp_pjit_cache_explicit_attributes.size())
