# title: A broken file stays broken
# kind: surprise
# about: disk
# decisive: g(x), once more
# expected: a file that cannot be read is written again.
# happens: it cannot be read, so the program is compiled; the log says that it is written, but a file that exists is left alone: a warning and a compilation from now on.
# source: jax/_src/compilation_cache.py: get_executable_and_time; jax/_src/lru_cache.py: LRUCache.put
import os
from pathlib import Path
import jax
import jax.numpy as jnp
from jax import lax

jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"] + "/cache")
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])
folder = os.environ["CASE_TMP"] + "/cache"
call("g(x)", lambda: g(x))
for name in os.listdir(folder):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(b"not a program")
jax.clear_caches()
call("g(x), file broken", lambda: g(x))
note("what the file of f holds", [path.read_text() for path in Path(folder).glob("jit_f-*-cache")])
jax.clear_caches()
call("g(x), once more", lambda: g(x))
