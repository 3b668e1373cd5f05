# title: Seven calls, seven stories
# kind: story
# about: fast_path params trace compile disk
# decisive: g(x) again
# expected: jax.jit compiles a function once and reuses the result.
# happens: the first call asks everyone; the second is answered by C++ alone; a NumPy array stops one floor lower; a fresh lambda and a new static value fall to the ground; after a restart only the disk remembers.
# source: jax/_src/pjit.py: _cpp_pjit; jax/_src/compilation_cache.py: get_executable_and_time
# processes: 2
import os
import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"] + "/cache")
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)

def f(x):
    return x ** 2

def power(x, n):
    return x ** n

g = jax.jit(f)
h = jax.jit(power, static_argnames="n")
xn = np.arange(3, dtype=np.float32)
x = jnp.asarray(xn)

if os.environ["CASE_PROCESS"] == "0":
    call("g(x)", lambda: g(x))
    call("g(x) again", lambda: g(x))
    call("g(xn)", lambda: g(xn))
    call("a fresh lambda", lambda: jax.jit(lambda x: x ** 2)(x))
    call("h(x, n=2)", lambda: h(x, n=2))
    call("h(x, n=3)", lambda: h(x, n=3))
else:
    call("g(x) after a restart", lambda: g(x))
